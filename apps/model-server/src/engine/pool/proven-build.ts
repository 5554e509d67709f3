let cpuBuildWorks = false;

/**
 * Whether the build of llama.cpp for the CPU works on this machine: a fact about the machine and not about one engine.
 * The first process that opens it finds out; those after it need not.
 */
export const provenBuild = {
  get isCpu(): boolean {
    return cpuBuildWorks;
  },
  record(computesOn: 'cpu' | 'gpu'): void {
    if (computesOn === 'cpu') cpuBuildWorks = true;
  },
};
