/** A construct of Go's template language that has no counterpart here. */
export class UntranslatableTemplate extends Error {
  override readonly name = 'UntranslatableTemplate';
}

/** What names mean at one place of a template. */
export interface Scope {
  /** The Jinja expression that `.` stands for; undefined at the top, where fields are the request's own. */
  readonly dot: string | undefined;
  /** The request's fields, by their Go names. */
  readonly root: Readonly<Record<string, string>>;
}

/** Fields of messages, tools and calls, by their Go names. */
const elementFields: Readonly<Record<string, string>> = {
  Role: 'role',
  Content: 'content',
  Thinking: 'thinking',
  ToolCalls: 'tool_calls',
  ToolName: 'name',
  Type: 'type',
  Function: 'function',
  Name: 'name',
  Description: 'description',
  Parameters: 'parameters',
  Arguments: 'arguments',
};

const comparisons: Readonly<Record<string, string>> = { ne: '!=', lt: '<', le: '<=', gt: '>', ge: '>=' };

type Token = { readonly kind: 'text' | 'number' | 'path' | 'word' | 'symbol'; readonly value: string };

const tokenPattern =
  /\s*(?:(?<text>"(?:[^"\\]|\\.)*"|`[^`]*`)|(?<number>-?\d+(?:\.\d+)?)|(?<path>\$?[A-Za-z_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+|\$[A-Za-z0-9_]*|\.(?![A-Za-z_]))|(?<word>[A-Za-z_][A-Za-z0-9_]*)|(?<symbol>[()|]))/gy;

/** Translates one expression, such as `and (eq .Role "user") $last` or `.Tools | json`. */
export function translateExpression(source: string, scope: Scope): string {
  const tokens = tokenize(source);
  const parser = new ExpressionParser(tokens, scope);
  const result = parser.pipeline();
  if (!parser.isAtEnd) throw new UntranslatableTemplate(source);
  return result;
}

function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  const text = source.trim();
  while (tokenPattern.lastIndex < text.length) {
    const groups = tokenPattern.exec(text)?.groups;
    const found = Object.entries(groups ?? {}).find(([, value]) => value !== undefined);
    if (!found) throw new UntranslatableTemplate(source);
    tokens.push({ kind: found[0] as Token['kind'], value: found[1] as string });
  }
  return tokens;
}

class ExpressionParser {
  private at = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly scope: Scope,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  pipeline(): string {
    let value = this.command(undefined);
    while (this.isSymbol('|')) {
      this.at += 1;
      value = this.command(value);
    }
    return value;
  }

  /** A value, or a function with its arguments; what is piped in comes last. */
  private command(piped: string | undefined): string {
    const first = this.tokens[this.at];
    if (first?.kind === 'word' && !['true', 'false', 'nil'].includes(first.value)) {
      this.at += 1;
      const given: string[] = [];
      while (!this.isAtEnd && !this.isSymbol(')') && !this.isSymbol('|')) given.push(this.operand());
      return call(first.value, piped === undefined ? given : [...given, piped]);
    }
    if (piped !== undefined) throw new UntranslatableTemplate('a pipe into a value');
    return this.operand();
  }

  private operand(): string {
    const token = this.tokens[this.at];
    if (!token) throw new UntranslatableTemplate('an expression that ends too early');
    this.at += 1;
    switch (token.kind) {
      case 'text':
        return jinjaText(
          token.value.startsWith('`') ? token.value.slice(1, -1) : (JSON.parse(token.value) as string),
        );
      case 'number':
        return token.value;
      case 'path':
        return this.path(token.value);
      case 'word':
        if (token.value === 'nil') return 'none';
        if (token.value === 'true' || token.value === 'false') return token.value;
        throw new UntranslatableTemplate(token.value);
      default: {
        if (token.value !== '(') throw new UntranslatableTemplate(token.value);
        const inner = this.pipeline();
        if (!this.isSymbol(')')) throw new UntranslatableTemplate('a bracket that is not closed');
        this.at += 1;
        return `(${inner})`;
      }
    }
  }

  private path(text: string): string {
    const [head = '', ...fields] = text.split('.');
    if (text === '.') return this.scope.dot ?? 'none';
    const isVariable = head.startsWith('$') && head !== '$';
    const isRoot = head === '$' || (head === '' && this.scope.dot === undefined);
    if (isRoot) {
      const [first = '', ...rest] = fields;
      const value = this.scope.root[first];
      if (value === undefined) throw new UntranslatableTemplate(`.${first}`);
      return this.fields(value, rest);
    }
    return this.fields(isVariable ? variableName(head) : (this.scope.dot ?? ''), fields);
  }

  private fields(value: string, names: readonly string[]): string {
    return names.reduce((inner, name) => {
      const field = elementFields[name];
      if (field === undefined) throw new UntranslatableTemplate(`.${name}`);
      return `${inner}.${field}`;
    }, value);
  }

  private isSymbol(symbol: string): boolean {
    const token = this.tokens[this.at];
    return token?.kind === 'symbol' && token.value === symbol;
  }
}

function call(name: string, given: readonly string[]): string {
  const [first = '', second = '', ...more] = given;
  if (given.length === 0) throw new UntranslatableTemplate(name);
  switch (name) {
    case 'eq':
      return `(${[second, ...more].map((other) => `${first} == ${other}`).join(' or ')})`;
    case 'and':
    case 'or':
      return `(${given.join(` ${name} `)})`;
    case 'not':
      return `(not ${first})`;
    case 'len':
      return `(${first} | length)`;
    case 'index':
      return `${first}[${second}]`;
    case 'slice':
      return `${first}[${second}:${more[0] ?? ''}]`;
    case 'json':
    case 'toJson':
      return `(${first} | tojson)`;
    default: {
      const sign = comparisons[name];
      if (sign === undefined) throw new UntranslatableTemplate(name);
      return `(${first} ${sign} ${second})`;
    }
  }
}

export function variableName(goName: string): string {
  return `go_${goName.slice(1)}`;
}

export function jinjaText(text: string): string {
  const escaped = text
    .replace(/\\/g, '\\\\')
    .replace(/'/g, "\\'")
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t');
  return `'${escaped}'`;
}
