import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenApiDocument } from '../src/http/documentation/openapi-document.js';

export interface CheckedReply {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
}

/** Checks replies against the document that the vault serves, and throws where one does not fit. */
export function createContract(document: OpenApiDocument): (reply: CheckedReply) => void {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'openapi', ...document });
  const validators = new Map<string, ValidateFunction>();
  const routes = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return ({ method, path, status, contentType, body }) => {
    // A fixed path such as /tokens/revoke-all wins over one with a parameter in the same place.
    const fitting = routes.filter(({ pattern }) => pattern.test(path)).map(({ template }) => template);
    const template = fitting.sort((one, other) => one.split('{').length - other.split('{').length)[0];
    if (template === undefined) return;
    const operation = document.paths[template]?.[method.toLowerCase()];
    if (operation === undefined) {
      if (status !== 405) throw new Error(`${method} ${path} answered ${status} and is not documented`);
      return;
    }
    const where = `${method} ${template} ${status}`;
    const response =
      operation.responses[status] ?? (status >= 400 ? operation.responses['default'] : undefined);
    if (response === undefined) throw new Error(`${where} is not documented`);
    const content = (response as { content?: Record<string, unknown> }).content;
    if (content === undefined) {
      if (body !== undefined) throw new Error(`${where} should have no body`);
      return;
    }
    const type = Object.keys(content).find((name) => name.split(';')[0] === contentType.split(';')[0]);
    if (type === undefined) throw new Error(`${where} answered ${contentType}`);
    const key = operation.responses[status] === undefined ? 'default' : String(status);
    const pointer = ['paths', template, method.toLowerCase(), 'responses', key, 'content', type, 'schema'];
    const reference = `openapi#/${pointer.map(escapePointer).join('/')}`;
    const validate = validators.get(reference) ?? ajv.compile({ $ref: reference });
    validators.set(reference, validate);
    if (!validate(body)) throw new Error(`${where} does not fit: ${ajv.errorsText(validate.errors)}`);
  };
}

function escapePointer(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}
