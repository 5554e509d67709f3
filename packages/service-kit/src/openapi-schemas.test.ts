import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { openApiSchemaWriter } from './openapi-schemas.js';

const part = z.strictObject({ name: z.string() }).meta({ id: 'Part' });
const whole = z.strictObject({ parts: z.array(part), spare: part.optional() }).meta({ id: 'Whole' });

test('a named schema becomes a component wherever it stands, at the top and inside others', () => {
  const components: Record<string, unknown> = {};
  const write = openApiSchemaWriter(components);
  expect(write(z.array(whole), 'output')).toEqual({
    type: 'array',
    items: { $ref: '#/components/schemas/Whole' },
  });
  expect(write(whole, 'output')).toEqual({ $ref: '#/components/schemas/Whole' });
  expect(Object.keys(components).sort()).toEqual(['Part', 'Whole']);
  expect(components['Whole']).toMatchObject({
    properties: { parts: { items: { $ref: '#/components/schemas/Part' } } },
  });
  expect(JSON.stringify(components)).not.toContain('$defs');
});

test('a schema without a name is written where it stands', () => {
  const components = {};
  expect(openApiSchemaWriter(components)(z.strictObject({ n: z.int() }), 'input')).toMatchObject({
    type: 'object',
    required: ['n'],
  });
  expect(components).toEqual({});
});
