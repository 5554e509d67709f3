/** What the inference library makes of the GPUs of this machine. */
export interface GpuReport {
  /** What models are computed with: `cuda`, `vulkan`, `metal`; undefined when that is the CPU. */
  readonly backend: string | undefined;
  readonly names: readonly string[];
  readonly totalBytes: number;
  readonly freeBytes: number;
  /** The builds for a GPU that are installed, whether they run or not. */
  readonly builds: readonly string[];
}
