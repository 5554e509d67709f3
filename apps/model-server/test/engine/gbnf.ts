/*
 * A second opinion on grammars, written against the notation's description and sharing nothing with the code that
 * prints them: it reads GBNF, decides whether a text matches, and makes up matching texts.
 */
type Node =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'class';
      readonly ranges: readonly (readonly [number, number])[];
      readonly negated: boolean;
    }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly min: number; readonly max: number };

export interface Gbnf {
  readonly rules: ReadonlyMap<string, Node>;
}

export function parseGbnf(source: string): Gbnf {
  const rules = new Map<string, Node>();
  for (const line of source.split('\n')) {
    if (line.trim() === '') continue;
    const header = /^([a-zA-Z0-9-]+) ::= /.exec(line);
    if (!header) throw new Error(`no rule: ${line}`);
    const name = header[1] ?? '';
    if (rules.has(name)) throw new Error(`two rules named ${name}`);
    rules.set(name, parseBody(line.slice(header[0].length)));
  }
  for (const node of rules.values()) checkNames(node, rules);
  return { rules };
}

function checkNames(node: Node, rules: ReadonlyMap<string, Node>): void {
  if (node.kind === 'rule' && !rules.has(node.name)) throw new Error(`unknown rule ${node.name}`);
  if (node.kind === 'sequence') for (const part of node.parts) checkNames(part, rules);
  if (node.kind === 'choice') for (const option of node.options) checkNames(option, rules);
  if (node.kind === 'repeat') checkNames(node.part, rules);
}

function parseBody(source: string): Node {
  let at = 0;
  const skip = () => {
    while (source[at] === ' ') at += 1;
  };

  function character(): number {
    if (source[at] !== '\\') {
      const code = source.codePointAt(at) ?? 0;
      at += String.fromCodePoint(code).length;
      return code;
    }
    const letter = source[at + 1] ?? '';
    const width = { x: 2, u: 4, U: 8 }[letter];
    if (width) {
      const code = Number.parseInt(source.slice(at + 2, at + 2 + width), 16);
      at += 2 + width;
      return code;
    }
    const plain = { n: 10, r: 13, t: 9, '"': 34, '\\': 92, '[': 91, ']': 93 }[letter];
    if (plain === undefined) throw new Error(`unknown escape \\${letter}`);
    at += 2;
    return plain;
  }

  function choice(): Node {
    const options = [sequence()];
    for (skip(); source[at] === '|'; skip()) {
      at += 1;
      options.push(sequence());
    }
    return { kind: 'choice', options };
  }

  function sequence(): Node {
    const parts: Node[] = [];
    for (skip(); at < source.length && source[at] !== '|' && source[at] !== ')'; skip())
      parts.push(repeated());
    return { kind: 'sequence', parts };
  }

  function repeated(): Node {
    const part = atom();
    const bounds = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})/.exec(source.slice(at));
    if (!bounds) return part;
    at += bounds[0].length;
    const [, symbol, low, comma, high] = bounds;
    if (symbol)
      return {
        kind: 'repeat',
        part,
        min: symbol === '+' ? 1 : 0,
        max: symbol === '?' ? 1 : Number.POSITIVE_INFINITY,
      };
    const min = Number(low);
    return { kind: 'repeat', part, min, max: high ? Number(high) : comma ? Number.POSITIVE_INFINITY : min };
  }

  function atom(): Node {
    if (source[at] === '(') {
      at += 1;
      const inner = choice();
      if (source[at] !== ')') throw new Error('a group without an end');
      at += 1;
      return inner;
    }
    if (source[at] === '"') {
      at += 1;
      let text = '';
      while (source[at] !== '"') text += String.fromCodePoint(character());
      at += 1;
      return { kind: 'text', text };
    }
    if (source[at] === '[') return characterClass();
    const name = /^[a-zA-Z0-9-]+/.exec(source.slice(at))?.[0];
    if (!name) throw new Error(`unexpected ${source.slice(at, at + 10)}`);
    at += name.length;
    return { kind: 'rule', name };
  }

  function characterClass(): Node {
    at += 1;
    const negated = source[at] === '^';
    if (negated) at += 1;
    const ranges: [number, number][] = [];
    while (source[at] !== ']') {
      const from = character();
      const isRange = source[at] === '-' && source[at + 1] !== ']';
      if (isRange) at += 1;
      ranges.push([from, isRange ? character() : from]);
    }
    at += 1;
    return { kind: 'class', ranges, negated };
  }

  const node = choice();
  if (at < source.length) throw new Error(`left over: ${source.slice(at)}`);
  return node;
}

function inClass(node: Extract<Node, { kind: 'class' }>, code: number): boolean {
  return node.ranges.some(([from, to]) => from <= code && code <= to) !== node.negated;
}

/** Whether the whole text matches the root rule. */
export function gbnfAccepts({ rules }: Gbnf, text: string): boolean {
  const input = [...text];
  const known = new Map<string, ReadonlySet<number>>();

  /** All places where a match that begins at `from` may end. */
  function ends(node: Node, from: number): ReadonlySet<number> {
    switch (node.kind) {
      case 'text': {
        const wanted = [...node.text];
        return wanted.every((part, index) => input[from + index] === part)
          ? new Set([from + wanted.length])
          : new Set();
      }
      case 'class': {
        const code = input[from]?.codePointAt(0);
        return code !== undefined && inClass(node, code) ? new Set([from + 1]) : new Set();
      }
      case 'rule': {
        const key = `${node.name}@${from}`;
        const seen = known.get(key);
        if (seen) return seen;
        const body = rules.get(node.name);
        const found = body ? ends(body, from) : new Set<number>();
        known.set(key, found);
        return found;
      }
      case 'sequence': {
        let places: ReadonlySet<number> = new Set([from]);
        for (const part of node.parts)
          places = new Set([...places].flatMap((place) => [...ends(part, place)]));
        return places;
      }
      case 'choice':
        return new Set(node.options.flatMap((option) => [...ends(option, from)]));
      default: {
        const all = new Set<number>(node.min === 0 ? [from] : []);
        let places: ReadonlySet<number> = new Set([from]);
        for (let count = 1; count <= node.max && places.size > 0; count += 1) {
          places = new Set(
            [...places]
              .flatMap((place) => [...ends(node.part, place)])
              .filter((place) => !all.has(place) || count <= node.min),
          );
          if (count >= node.min) for (const place of places) all.add(place);
        }
        return all;
      }
    }
  }

  return ends({ kind: 'rule', name: 'root' }, 0).has(input.length);
}

/** Makes up texts from the grammar: `random` gives numbers from 0 up to 1. The deeper, the shorter. */
export function createGbnfSampler({ rules }: Gbnf, random: () => number): () => string {
  const heights = ruleHeights(rules);
  const known = new Map<Node, number>();
  const height = (node: Node): number => {
    const found = known.get(node) ?? nodeHeight(node, heights);
    known.set(node, found);
    return found;
  };

  function pick<T>(list: readonly T[]): T {
    const found = list[Math.floor(random() * list.length)];
    if (found === undefined) throw new Error('nothing to pick from');
    return found;
  }

  function write(node: Node, room: number): string {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'class': {
        if (node.negated) throw new Error('negated classes are not sampled');
        const [from, to] = pick(node.ranges);
        return String.fromCodePoint(from + Math.floor(random() * (Math.min(to, from + 200) - from + 1)));
      }
      case 'rule':
        return write(rules.get(node.name) ?? { kind: 'choice', options: [] }, room - 1);
      case 'sequence':
        return node.parts.map((part) => write(part, room)).join('');
      case 'choice': {
        const fitting = node.options.filter((option) => height(option) <= room);
        const lowest = Math.min(...node.options.map(height));
        return write(
          pick(fitting.length > 0 ? fitting : node.options.filter((option) => height(option) === lowest)),
          room,
        );
      }
      default: {
        const most = height(node.part) <= room ? Math.min(node.max, node.min + 3) : node.min;
        const count = node.min + Math.floor(random() * (most - node.min + 1));
        return Array.from({ length: count }, () => write(node.part, room)).join('');
      }
    }
  }

  return () => write({ kind: 'rule', name: 'root' }, 24);
}

function nodeHeight(node: Node, heights: ReadonlyMap<string, number>): number {
  switch (node.kind) {
    case 'rule':
      return 1 + (heights.get(node.name) ?? Number.POSITIVE_INFINITY);
    case 'sequence':
      return Math.max(0, ...node.parts.map((part) => nodeHeight(part, heights)));
    case 'choice':
      return Math.min(...node.options.map((option) => nodeHeight(option, heights)));
    case 'repeat':
      return node.min === 0 ? 0 : nodeHeight(node.part, heights);
    default:
      return 0;
  }
}

function ruleHeights(rules: ReadonlyMap<string, Node>): Map<string, number> {
  const heights = new Map<string, number>();
  for (let changed = true; changed; ) {
    changed = false;
    for (const [name, node] of rules) {
      const height = nodeHeight(node, heights);
      if (height < (heights.get(name) ?? Number.POSITIVE_INFINITY)) {
        heights.set(name, height);
        changed = true;
      }
    }
  }
  return heights;
}
