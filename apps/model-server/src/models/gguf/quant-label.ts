const quantPattern =
  /(?:^|[-_.])((?:UD-)?(?:I?Q[1-8](?:_[A-Z0-9]{1,3})*|TQ[12]_0|MXFP4(?:_MOE)?|BF16|FP?16|FP?32))(?=[-_.]|$)/gi;

/** The quantization that a file name speaks of (`model-Q4_K_M.gguf`), in its usual capitals. */
export function quantLabel(fileName: string): string | undefined {
  const stem = fileName.replace(/\.gguf$/i, '').replace(/-\d{5}-of-\d{5}$/i, '');
  return [...stem.matchAll(quantPattern)].at(-1)?.[1]?.toUpperCase();
}

/** The file name without its ending, its shard number and its quantization. */
export function nameWithoutQuant(fileName: string): string {
  const stem = fileName.replace(/\.gguf$/i, '').replace(/-\d{5}-of-\d{5}$/i, '');
  const label = [...stem.matchAll(quantPattern)].at(-1);
  if (!label || label.index === 0) return stem;
  return stem.slice(0, label.index) + stem.slice(label.index + label[0].length);
}
