import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { makeEncoder, makeRankingModel, makeSlidingWindowModel } from '../../test/engine/made-models.js';
import { type Engine, errorOf, never, openEngine, raw, run } from '../../test/engine-fixture.js';
import { temporaryFolders } from '../../test/temporary-folder.js';
import type { EngineSettings } from './engine-settings.js';

const model = 'made:latest';
const temporaryFolder = temporaryFolders();
const open: Engine[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((engine) => engine.close()));
});

async function fileOf(bytes: Buffer): Promise<string> {
  const file = path.join(await temporaryFolder(), 'model.gguf');
  await writeFile(file, bytes);
  return file;
}

function opened(file: string, settings: Partial<EngineSettings> = {}): Engine {
  const engine = openEngine({ files: { [model]: file }, settings });
  open.push(engine);
  return engine;
}

test('a reranker gives the document that its classifier likes the best score, the same every time', async () => {
  const engine = opened(await fileOf(await makeRankingModel('cat')));
  const query = 'Who is there?';
  const documents = [
    'the dog sat there',
    'a cat and a cat and a cat',
    'the cat sat there',
    'the dog sat there',
    '',
  ];
  const rank = (texts: readonly string[]) => engine.rerank({ model, query, documents: texts }, never);
  const { scores, promptTokens } = await rank(documents);
  const [dog, cats, cat, sameDog] = scores as [number, number, number, number];
  expect(cats).toBeGreaterThan(cat);
  expect(cat).toBeGreaterThan(dog);
  expect(sameDog).toBe(dog);
  for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
  expect((await rank([...documents].reverse())).scores).toEqual([...scores].reverse());
  // The template around each pair counts, too: the model reads it.
  expect(promptTokens).toBeGreaterThan(documents.length * 10);

  const error = await errorOf(rank(['fine', 'word '.repeat(2000)]));
  expect(error).toMatchObject({
    code: 'context-overflow',
    param: 'documents.1',
    facts: { contextLength: 1024 },
  });
});

test('an encoder reads a long document whole, ranks and embeds', async () => {
  const engine = opened(await fileOf(await makeEncoder()));
  const long = 'one two three four five six '.repeat(100);
  const score = async (document: string) =>
    (await engine.rerank({ model, query: 'count', documents: [document] }, never)).scores[0] as number;
  // Read in two batches, one end of it would not count.
  expect(await score(`${long} seven`)).not.toBe(await score(`${long} eight`));
  expect(await score(`seven ${long}`)).not.toBe(await score(`eight ${long}`));
  expect(await score(long)).toBe(await score(long));
  const { vectors } = await engine.embed(
    { model, inputs: [long, 'short'], overflow: 'error', normalize: false },
    never,
  );
  for (const vector of vectors) expect(vector.every(Number.isFinite)).toBe(true);
  expect(vectors[0]).not.toEqual(vectors[1]);
});

test('a sliding window goes on from a warm prefix as from a cold one, also where its cells are long gone', async () => {
  const file = await fileOf(await makeSlidingWindowModel());
  const warm = opened(file, { parallel: 1, contextLength: 1280 });
  const cold = opened(file, { parallel: 1, contextLength: 1280 });
  const story = Array.from({ length: 130 }, (_, index) => `${index} apples fell down.`).join(' ');
  const first = await run(warm, raw(story, { model, maxTokens: 40, wantContextTokens: true }));
  const tokens = first.contextTokens ?? [];
  const otherEnd = await warm.tokenize(model, ' And then came the wind.', never);

  const reused: number[] = [];
  // The next turn; a turn taken back within the window; one far behind it.
  for (const keep of [tokens.length, first.usage.promptTokens - 10, 60]) {
    const prompt = { kind: 'raw', tokens: [...tokens.slice(0, keep), ...otherEnd] } as const;
    const request = raw('', { model, prompt, maxTokens: 30, topLogprobs: 1 });
    const [again, anew] = [await run(warm, request), await run(cold, request)];
    await cold.unload(model);
    expect(anew.usage.cachedTokens).toBe(0);
    expect(again.text).toBe(anew.text);
    // Warm tokens were computed in other batches, so the last digits differ; a wrong window would show in the first.
    expect(again.logprobs[0]?.logprob).toBeCloseTo(anew.logprobs[0]?.logprob ?? Number.NaN, 1);
    reused.push(again.usage.cachedTokens);
  }
  expect(reused[0]).toBeGreaterThanOrEqual(first.usage.promptTokens);
  expect(reused[1]).toBeGreaterThan(0);
});
