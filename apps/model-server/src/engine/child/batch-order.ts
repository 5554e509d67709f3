import type { CustomBatchingPrioritizationStrategy } from 'node-llama-cpp';

/**
 * The order of sequences in a batch: ascending. llama.cpp computes the tokens of several sequences together only if
 * their numbers follow each other upwards; in any other order it computes them one by one. The loop sees to it that
 * all tokens fit into the batch, so nothing is cut here.
 */
export const ascendingSequences: CustomBatchingPrioritizationStrategy = ({ items }) =>
  [...items]
    .sort((left, right) => left.evaluationPriority - right.evaluationPriority)
    .map((item) => ({ item, processAmount: item.tokens.length }));
