import { z } from 'zod';

/**
 * The building blocks of every wire schema. Their messages are written to follow the field's path, so that
 * `messages.0.role` and `must be one of …` read as one sentence in any dialect's error.
 */
function mustBe(what: string) {
  return {
    error: (issue: { readonly input?: unknown }) =>
      issue.input === undefined ? 'is required' : `must be ${what}`,
  };
}

/** A check that ends the reading of its list: without `abort`, a million wrong items are a million problems. */
function failing(message: string) {
  return { error: message, abort: true };
}

export const text = z.string(mustBe('a string'));
export const flag = z.boolean(mustBe('true or false'));
export const number = z.number(mustBe('a number'));
/** Whole, of any size: a 64-bit seed is past what JavaScript counts exactly, and still a seed. */
export const integer = number.multipleOf(1, failing('must be a whole number'));
/** Any JSON object, kept as it came: every key, in its order. */
export const jsonObject = z.record(z.string(), z.unknown(), mustBe('an object'));
/** A field that is known and has no effect here. Whatever it holds, the request is served. */
export const ignored = z.unknown().optional();

export function numberBetween(min: number, max: number) {
  const message = `must be between ${min} and ${max}`;
  return number.min(min, failing(message)).max(max, failing(message));
}

export function integerBetween(min: number, max: number) {
  const message = `must be between ${min} and ${max}`;
  return integer.min(min, failing(message)).max(max, failing(message));
}

export function integerFrom(min: number) {
  return integer.min(min, failing(`must be at least ${min}`));
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, mustBe(values.length === 1 ? `"${values[0]}"` : `one of ${values.join(', ')}`));
}

export function list<Item extends z.ZodType>(item: Item) {
  return z.array(item, mustBe('a list'));
}

// Zod reads a map to its end however many of its values are wrong.
const mostEntries = 10_000;

/** An object with keys of the caller's choice; `what` names it for the error. */
export function mapOf<Value extends z.ZodType>(value: Value, what: string) {
  return z.preprocess(
    (input, context) => {
      if (typeof input === 'object' && input !== null && Object.keys(input).length > mostEntries) {
        context.addIssue({
          code: 'custom',
          message: `must have at most ${mostEntries} entries`,
          input: null,
        });
        return z.NEVER;
      }
      return input;
    },
    z.record(z.string(), value, mustBe(what)),
  );
}

/** Unknown keys pass: a newer client is not refused for a field that we have not heard of. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape, mustBe('an object'));
}

/** One of several forms; `what` names them all for the error. */
export function either<const Forms extends readonly [z.ZodType, z.ZodType, ...z.ZodType[]]>(
  what: string,
  forms: Forms,
) {
  return z.union(forms, mustBe(what));
}
