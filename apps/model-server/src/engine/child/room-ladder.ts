/** How many requests a model works on at the same time, and how much context each of them has. */
export interface Room {
  readonly contextLength: number;
  readonly sequences: number;
}

/** What a model gets without being asked: enough for agents, bounded because every sequence pays for it. */
const mostDefaultContext = 32_768;
/** A conversation wants this much; rather than have less, fewer of them go on at the same time. */
const decentContext = 8192;
/** Nobody is served by less context than this, unless the model has less. */
export const leastContext = 2048;

/**
 * From the most room to the least, each step about half of the one before: first shorter contexts, then fewer sequences,
 * then contexts shorter still. A context that was asked for is never made shorter.
 */
export function roomLadder(options: {
  readonly parallel: number;
  readonly trainContextLength: number;
  readonly wantedContext: number | undefined;
}): Room[] {
  const { parallel, trainContextLength, wantedContext } = options;
  if (wantedContext !== undefined) {
    const contextLength = Math.min(wantedContext, trainContextLength);
    return halves(parallel, 1).map((sequences) => ({ contextLength, sequences }));
  }
  const longest = Math.min(trainContextLength, mostDefaultContext);
  const contexts = halves(longest, Math.min(longest, leastContext));
  const decent = contexts.filter((contextLength) => contextLength >= decentContext);
  const contextLength = decent.at(-1) ?? longest;
  return [
    ...(decent.length > 0 ? decent : [longest]).map((each) => ({ contextLength: each, sequences: parallel })),
    ...halves(parallel, 1)
      .slice(1)
      .map((sequences) => ({ contextLength, sequences })),
    ...contexts.filter((each) => each < contextLength).map((each) => ({ contextLength: each, sequences: 1 })),
  ];
}

/** A number, its half, and so on, as long as that is not below the least. */
function halves(from: number, least: number): number[] {
  const all: number[] = [];
  for (let next = from; next >= least; next = Math.floor(next / 2)) all.push(next);
  return all;
}
