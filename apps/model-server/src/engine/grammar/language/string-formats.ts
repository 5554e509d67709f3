/*
 * The formats of JSON Schema as regular expressions over the text of a string. Each is a subset of its format on the
 * safe side (ASCII, no leap seconds): what is generated must pass every validator.
 */
const year = '[0-9]{4}';
const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';
const monthDay =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))';
const date = `(?:${year}-${monthDay}|${leapYear}-02-29)`;
const hourMinute = '(?:[01][0-9]|2[0-3]):[0-5][0-9]';
const offset = `(?:Z|[+-]${hourMinute})`;
const time = `${hourMinute}:[0-5][0-9](?:\\.[0-9]{1,6})?${offset}`;

// A host name has bounds for its parts and its whole; the domain of an address has none that validators check.
const shortLabel = '[a-z0-9](?:[a-z0-9-]{0,18}[a-z0-9])?';
const hostname = `${shortLabel}(?:\\.${shortLabel}){0,3}`;
const label = '[a-z0-9]+(?:-+[a-z0-9]+)*';
const domain = `${label}(?:\\.${label})*`;
const mailbox = "[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+(?:\\.[A-Za-z0-9_+-]+)*";

const byte = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const ipv4 = `${byte}(?:\\.${byte}){3}`;
const hextet = '[0-9a-fA-F]{1,4}';
const ipv6 = [
  `(?:${hextet}:){7}${hextet}`,
  ...[1, 2, 3, 4, 5, 6].map((before) => `(?:${hextet}:){${before}}(?::${hextet}){1,${7 - before}}`),
  `:(?::${hextet}){1,7}`,
  `(?:${hextet}:){1,7}:`,
  '::',
].join('|');

const hex = '[0-9a-fA-F]';
const uuid = `${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}`;

const pathCharacter = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})";
const uriTail = `(?:/${pathCharacter}*)*(?:\\?(?:${pathCharacter}|[/?])*)?(?:#(?:${pathCharacter}|[/?])*)?`;
const uri = `(?:[a-z][a-z0-9+.-]{0,11}://${domain}(?::[1-9][0-9]{0,3})?${uriTail}|(?:mailto|urn|tel):${pathCharacter}+)`;
const uriReference = `(?:${uri}|(?:/${pathCharacter}+)+/?(?:\\?${pathCharacter}*)?(?:#${pathCharacter}*)?|#${pathCharacter}*)`;

const amount = '(?:0|[1-9][0-9]{0,5})';
const timePart = `T(?:${amount}H(?:${amount}M)?(?:${amount}S)?|${amount}M(?:${amount}S)?|${amount}S)`;
const datePart = `(?:${amount}Y(?:${amount}M)?(?:${amount}D)?|${amount}M(?:${amount}D)?|${amount}D)`;
const pointer = '(?:/(?:[^~/]|~[01])*)*';
const base64 = '(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?';

const expressions: Readonly<Record<string, string>> = {
  date,
  time,
  'date-time': `${date}T${time}`,
  duration: `P(?:${datePart}(?:${timePart})?|${timePart}|${amount}W)`,
  email: `${mailbox}@${label}(?:\\.${label})+`,
  hostname,
  ipv4,
  ipv6,
  uuid,
  uri,
  'uri-reference': uriReference,
  url: `https?://${domain}(?::[1-9][0-9]{0,3})?${uriTail}`,
  'json-pointer': pointer,
  'relative-json-pointer': `${amount}(?:#|${pointer})`,
  byte: base64,
};

/** Formats with a fixed meaning that no expression here covers. Any other unknown name is the caller's own note. */
const refused = new Set(['idn-email', 'idn-hostname', 'iri', 'iri-reference', 'uri-template', 'regex']);

export type StringFormat = { readonly regex: string } | 'annotation' | 'refused';

export function stringFormat(name: string): StringFormat {
  const expression = Object.hasOwn(expressions, name) ? expressions[name] : undefined;
  if (expression !== undefined) return { regex: `^(?:${expression})$` };
  return refused.has(name) ? 'refused' : 'annotation';
}
