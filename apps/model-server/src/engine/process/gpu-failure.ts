const gpuWords = /\b(CUDA|cuBLAS|ROCm|HIP|Vulkan|Metal|SYCL|MUSA)\b|ggml_(cuda|vulkan|vk|metal|sycl)/i;

/** The engine could not use the GPU: most often its build and the installed driver do not fit each other. */
export class GpuFailure extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'GpuFailure';
  }

  /** The build and the driver do fit, there was just no room. */
  get isForLackOfMemory(): boolean {
    return /out of memory|failed to allocate|alloc(ation)? failed/i.test(this.message);
  }

  /** What llama.cpp said before its process died, if that was about the GPU. */
  static among(complaints: readonly string[]): GpuFailure | undefined {
    const reason = complaints.find((complaint) => gpuWords.test(complaint));
    return reason === undefined ? undefined : new GpuFailure(reason);
  }
}
