import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { JsonSchema } from '../../src/generation/tool.js';

// One for all: making it costs more than all its uses.
const ajv = new Ajv2020({ strict: false, validateFormats: true, multipleOfPrecision: 9 });
formats.default(ajv);

/** The reference validator: says whether JSON text is a value that matches the schema. */
export function createValidator(schema: JsonSchema): (text: string) => boolean {
  const validate = ajv.compile(schema);
  return (text) => {
    try {
      return validate(JSON.parse(text));
    } catch {
      return false;
    }
  };
}
