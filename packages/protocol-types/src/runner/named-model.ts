import { text } from '../common/fields.js';

/** Clients name the model of a library call in one field or the other: `name` is the older. The dialect needs one. */
export const namedModelFields = {
  model: text.nullish().describe('Model name with an optional tag.'),
  name: text.nullish().describe('The older spelling of `model`.'),
};
