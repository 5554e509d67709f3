import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { z } from 'zod';

const families = ['common', 'runner', 'completions', 'messages'];

const files = families.flatMap((family) =>
  readdirSync(new URL(`./${family}/`, import.meta.url))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `./${family}/${name.replace(/\.ts$/, '.js')}`),
);

interface NamedSchema {
  readonly name: string;
  readonly schema: z.ZodType;
}

async function schemasOf(file: string): Promise<readonly NamedSchema[]> {
  const exported: Record<string, unknown> = await import(file);
  return Object.entries(exported).flatMap(([name, value]) =>
    name.endsWith('Schema') && value instanceof z.ZodType ? [{ name: `${file} ${name}`, schema: value }] : [],
  );
}

// One after the other: jest's loader cannot link modules that share imports at the same time.
const all: NamedSchema[] = [];
for (const file of files) all.push(...(await schemasOf(file)));

test.each(all)('$name can be described as JSON Schema', ({ schema }) => {
  expect(z.toJSONSchema(schema, { io: 'input' })).toHaveProperty('$schema');
});

test('every message has an id of its own and a description', () => {
  const ids = all.flatMap(({ schema }) => schema.meta()?.id ?? []);
  expect(ids.length).toBeGreaterThan(60);
  expect(new Set(ids).size).toBe(ids.length);
  const silent = all.filter(({ schema }) => schema.meta()?.id !== undefined && !schema.meta()?.description);
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test('a request is described with what it needs and what its fields mean', async () => {
  const { chatRequestSchema } = await import('./completions/chat-request.js');
  const described = z.toJSONSchema(chatRequestSchema, { io: 'input' });
  const request = described.$defs?.['ChatRequest'];
  expect(request?.required).toEqual(['model', 'messages']);
  expect(request?.properties?.['messages']).toMatchObject({
    type: 'array',
    items: { $ref: '#/$defs/ChatMessage' },
  });
  expect(request?.properties?.['logit_bias']).toMatchObject({
    anyOf: [{ type: 'object' }, { type: 'null' }],
  });
});
