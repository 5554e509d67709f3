// What is measured. Each case gets a target and a number that makes its prompts new, and returns one figure.

let unique = 0;

/** A prompt that no cache has seen: its first words differ. */
function freshPrompt(words) {
  unique += 1;
  const head = `Text ${unique} of ${process.pid}.`;
  return `${head} ${Array.from({ length: words }, (_, index) => `w${(index * 7 + unique) % 9}`).join(' ')}`;
}

async function streams(target, count, maxTokens) {
  const startedAt = performance.now();
  const results = await Promise.all(
    Array.from({ length: count }, () => target.generate({ prompt: freshPrompt(4), maxTokens })),
  );
  const tokens = results.reduce((sum, result) => sum + result.tokens, 0);
  return (tokens / (performance.now() - startedAt)) * 1000;
}

export const cases = [
  ...[1, 2, 4, 8, 16].map((count) => ({
    name: `${count} stream${count === 1 ? '' : 's'}`,
    unit: 'tokens/s',
    run: (target, size) => streams(target, count, size.tokens),
  })),
  {
    name: 'first token, 1,000 tokens, cold',
    unit: 'ms',
    run: async (target, size) =>
      (await target.generate({ prompt: freshPrompt(size.longWords), maxTokens: 1 })).firstMs,
  },
  {
    name: 'first token, shared prefix',
    unit: 'ms',
    run: async (target, size) => {
      const prefix = freshPrompt(size.longWords);
      await target.generate({ prompt: `${prefix} first`, maxTokens: 1 });
      return (await target.generate({ prompt: `${prefix} second`, maxTokens: 1 })).firstMs;
    },
  },
  {
    name: 'one-token answers',
    unit: 'requests/s',
    run: async (target, size) => {
      const startedAt = performance.now();
      let left = size.requests;
      const client = async () => {
        while (left-- > 0) await target.generate({ prompt: freshPrompt(2), maxTokens: 1 });
      };
      await Promise.all(Array.from({ length: 4 }, client));
      return (size.requests / (performance.now() - startedAt)) * 1000;
    },
  },
  {
    name: '2 streams beside a long prompt',
    unit: 'tokens/s',
    run: async (target, size) => {
      const startedAt = performance.now();
      const long = target.generate({ prompt: freshPrompt(size.longWords), maxTokens: 1 });
      const results = await Promise.all(
        [1, 2].map(() => target.generate({ prompt: freshPrompt(4), maxTokens: size.tokens })),
      );
      const ms = performance.now() - startedAt;
      await long;
      return (results.reduce((sum, result) => sum + result.tokens, 0) / ms) * 1000;
    },
  },
  {
    name: '2 models, one stream each',
    unit: 'tokens/s',
    onlyFor: ['engine'],
    run: async (target, size) => {
      await Promise.all(
        ['-a', '-b'].map((modelSuffix) => target.generate({ prompt: 'hi', maxTokens: 1, modelSuffix })),
      );
      const startedAt = performance.now();
      const results = await Promise.all(
        ['-a', '-b'].map((modelSuffix) =>
          target.generate({ prompt: freshPrompt(4), maxTokens: size.tokens, modelSuffix }),
        ),
      );
      return (
        (results.reduce((sum, result) => sum + result.tokens, 0) / (performance.now() - startedAt)) * 1000
      );
    },
  },
];
