/** The samplers count seeds in 32 bits; clients send any whole number. Every dialect folds them in the same way. */
export function toSeed(value: number): number {
  return Number(BigInt.asUintN(32, BigInt(Math.trunc(value))));
}
