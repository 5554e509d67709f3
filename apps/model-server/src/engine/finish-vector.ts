export interface VectorOptions {
  readonly dimensions?: number;
  readonly normalize: boolean;
}

/** Cuts a vector to the wanted length and brings it to length one, in that order: a cut vector is shorter. */
export function finishVector(vector: Float64Array, options: VectorOptions): number[] {
  const cut = Array.from(options.dimensions === undefined ? vector : vector.slice(0, options.dimensions));
  if (!options.normalize) return cut;
  const length = Math.hypot(...cut);
  return length === 0 ? cut : cut.map((value) => value / length);
}
