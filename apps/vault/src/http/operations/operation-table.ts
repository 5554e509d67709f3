import { VaultError } from '../../errors/vault-error.js';
import type { Operation } from './operation.js';

export interface FoundOperation {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

export interface OperationTable {
  /** The operation behind a method and a path, or undefined where the path is not ours. */
  find(method: string, path: string): FoundOperation | undefined;
}

/** One step of a path: what may follow it, and what can be done where it is the last. */
interface Place {
  readonly names: Map<string, Place>;
  parameter?: Place;
  readonly operations: Map<string, { readonly operation: Operation; readonly parameters: readonly string[] }>;
}

/**
 * Finds operations step by step along the path, so that it costs the same for the first of them as for the last; a
 * router tries the pattern of each in turn. Paths count to the letter: other case or a slash at the end is another path.
 */
export function createOperationTable(operations: readonly Operation[]): OperationTable {
  const root = newPlace();
  for (const operation of operations) {
    const steps = operation.path.split('/').slice(1);
    const parameters = steps.flatMap((step) => parameterName(step) ?? []);
    placeOf(root, steps).operations.set(operation.method, { operation, parameters });
  }

  return {
    find(method, path) {
      const values: string[] = [];
      const place = walk(root, path.split('/'), 1, values);
      if (place === undefined) return undefined;
      const found = place.operations.get(method === 'HEAD' ? 'get' : method.toLowerCase());
      if (found === undefined) {
        throw new VaultError('method_not_allowed', undefined, { headers: { allow: allowedAt(place) } });
      }
      return { operation: found.operation, params: paramsOf(found.parameters, values) };
    },
  };
}

function newPlace(): Place {
  return { names: new Map(), operations: new Map() };
}

function placeOf(root: Place, steps: readonly string[]): Place {
  let place = root;
  for (const step of steps) {
    if (parameterName(step) === undefined) {
      const next = place.names.get(step) ?? newPlace();
      place.names.set(step, next);
      place = next;
    } else {
      place.parameter ??= newPlace();
      place = place.parameter;
    }
  }
  return place;
}

/** A name counts before a parameter that could stand for it; where it leads nowhere, the parameter is tried. */
function walk(place: Place, steps: readonly string[], index: number, values: string[]): Place | undefined {
  const step = steps[index];
  if (step === undefined) return place.operations.size > 0 ? place : undefined;
  const named = place.names.get(step);
  const found = named && walk(named, steps, index + 1, values);
  if (found !== undefined || place.parameter === undefined || step === '') return found;
  const before = values.length;
  values.push(step);
  const under = walk(place.parameter, steps, index + 1, values);
  if (under === undefined) values.length = before;
  return under;
}

function paramsOf(names: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, decoded(values[index] ?? '')]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new VaultError('invalid_request');
  }
}

/** OpenAPI writes a parameter as {vault_id}. */
function parameterName(step: string): string | undefined {
  return /^\{(\w+)\}$/.exec(step)?.[1];
}

function allowedAt(place: Place): string {
  return [...place.operations.keys()]
    .flatMap((method) => (method === 'get' ? ['HEAD', 'GET'] : [method.toUpperCase()]))
    .join(', ');
}
