import {
  jinjaText,
  type Scope,
  translateExpression,
  UntranslatableTemplate,
  variableName,
} from './go-expression.js';

type Piece = { readonly kind: 'text' | 'action'; readonly value: string };

/**
 * Turns a Go template, the kind that the runner's registry and Modelfiles carry, into the Jinja that the engine reads.
 * Covers what such templates are made of: fields, conditions, loops over messages, tools and calls, variables and the
 * usual functions. Undefined for anything else, so that the caller can say that it is refused.
 */
export function goTemplateToJinja(template: string): string | undefined {
  try {
    const pieces = split(template);
    const usesMessages = pieces.some((piece) => piece.kind === 'action' && /\.Messages\b/.test(piece.value));
    return usesMessages ? wholeConversation(pieces) : turnByTurn(pieces);
  } catch (error) {
    if (error instanceof UntranslatableTemplate || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The template walks through `.Messages` itself. */
function wholeConversation(pieces: readonly Piece[]): string {
  const root = {
    Messages: 'messages',
    Tools: 'tools',
    System: 'go.system',
    Prompt: "''",
    Response: "''",
    Suffix: "''",
  };
  const prelude = [
    "{%- set go = namespace(system='') -%}",
    "{%- for message in messages -%}{%- if message.role == 'system' -%}",
    "{%- set go.system = (go.system + '\\n\\n' if go.system else '') + message.content -%}",
    '{%- endif -%}{%- endfor -%}',
  ].join('');
  return prelude + new Translator(pieces, root).all();
}

/** The template knows one exchange (`.System`, `.Prompt`, `.Response`); it is repeated for each. */
function turnByTurn(pieces: readonly Piece[]): string {
  if (!pieces.some((piece) => piece.kind === 'action' && /\.Prompt\b/.test(piece.value))) {
    throw new UntranslatableTemplate('a template without messages');
  }
  const root = { System: 'system', Prompt: 'prompt', Response: 'response', Tools: 'tools', Suffix: "''" };
  const body = new Translator(pieces, root).all('open');
  return [
    `{%- macro go_turn(system, prompt, response, open) -%}${body}{%- endmacro -%}`,
    "{%- set go = namespace(system='', prompt='') -%}",
    '{%- for message in messages -%}',
    "{%- if message.role == 'system' -%}{%- set go.system = message.content -%}",
    "{%- elif message.role == 'assistant' -%}",
    '{{- go_turn(go.system, go.prompt, message.content, false) -}}',
    "{%- set go.system = '' -%}{%- set go.prompt = '' -%}",
    '{%- else -%}{%- set go.prompt = message.content -%}{%- endif -%}',
    '{%- endfor -%}',
    "{%- if go.prompt or go.system -%}{{- go_turn(go.system, go.prompt, '', true) -}}{%- endif -%}",
  ].join('');
}

class Translator {
  private at = 0;

  constructor(
    private readonly pieces: readonly Piece[],
    private readonly root: Scope['root'],
  ) {}

  /** With `openFlag`: what follows `.Response` at the top is left out while the model is still to answer. */
  all(openFlag?: string): string {
    const { output, end } = this.block({ dot: undefined, root: this.root }, openFlag);
    if (end !== undefined) throw new UntranslatableTemplate(end);
    return output;
  }

  /** Everything up to the `else` or `end` that belongs to an enclosing block. */
  private block(scope: Scope, openFlag?: string): { output: string; end: string | undefined } {
    let output = '';
    let isAfterResponse = false;
    while (this.at < this.pieces.length) {
      const piece = this.pieces[this.at];
      this.at += 1;
      if (!piece) break;
      if (piece.kind === 'text') {
        if (piece.value !== '') output += `{{- ${jinjaText(piece.value)} -}}`;
        continue;
      }
      if (/^(?:end|else)\b/.test(piece.value)) {
        return { output: isAfterResponse ? `${output}{%- endif -%}` : output, end: piece.value };
      }
      output += this.action(piece.value, scope);
      if (openFlag !== undefined && !isAfterResponse && /^\.Response$/.test(piece.value)) {
        isAfterResponse = true;
        output += `{%- if not ${openFlag} -%}`;
      }
    }
    return { output: isAfterResponse ? `${output}{%- endif -%}` : output, end: undefined };
  }

  private action(code: string, scope: Scope): string {
    if (code === '' || code.startsWith('/*')) return '';
    const [, keyword = '', rest = ''] =
      /^(if|range|with|break|continue|template|define|block)\b\s*(.*)$/s.exec(code) ?? [];
    if (keyword === 'if') return this.condition(rest, scope);
    if (keyword === 'range') return this.loop(rest, scope);
    if (keyword !== '') throw new UntranslatableTemplate(keyword);
    const assignment = /^(\$[A-Za-z0-9_]+)\s*:?=\s*(.*)$/s.exec(code);
    if (assignment) {
      const [, name = '', value = ''] = assignment;
      return `{%- set ${variableName(name)} = ${translateExpression(value, scope)} -%}`;
    }
    return `{{- ${this.printed(translateExpression(code, scope))} -}}`;
  }

  /** Arguments and tools are objects that Go prints as JSON; a missing text prints as nothing. */
  private printed(value: string): string {
    if (/(?:\.(?:arguments|parameters|function)|^tools|^go_\w+|^item\d+)$/.test(value)) {
      return `(${value} if ${value} is string else (${value} | tojson))`;
    }
    return value;
  }

  private condition(test: string, scope: Scope): string {
    let output = `{%- if ${translateExpression(test, scope)} -%}`;
    for (;;) {
      const { output: body, end } = this.block(scope);
      output += body;
      if (end === 'end') return `${output}{%- endif -%}`;
      const other = /^else\s+if\s+(.*)$/s.exec(end ?? '')?.[1];
      if (other !== undefined) output += `{%- elif ${translateExpression(other, scope)} -%}`;
      else if (end === 'else') output += '{%- else -%}';
      else throw new UntranslatableTemplate('a condition without an end');
    }
  }

  private loop(header: string, scope: Scope): string {
    const named = /^(?:(\$\w+)\s*,\s*)?(\$\w+)\s*:=\s*(.*)$/s.exec(header);
    const list = translateExpression(named?.[3] ?? header, scope);
    const item = named?.[2] === undefined ? `item${this.at}` : variableName(named[2]);
    const index = named?.[1] === undefined ? '' : `{%- set ${variableName(named[1])} = loop.index0 -%}`;
    const { output, end } = this.block({ ...scope, dot: item });
    if (end !== 'end') throw new UntranslatableTemplate('a loop without an end');
    return `{%- for ${item} in ${list} -%}${index}${output}{%- endfor -%}`;
  }
}

/** Cuts a template into texts and actions, with the whitespace already taken away that `{{-` and `-}}` ask for. */
function split(template: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let last = 0;
  let trimStart = false;
  const addText = (end: number, trimEnd: boolean) => {
    let value = template.slice(last, end);
    if (trimStart) value = value.trimStart();
    if (trimEnd) value = value.trimEnd();
    pieces.push({ kind: 'text', value });
  };
  for (const match of template.matchAll(/\{\{(-(?=\s))?\s*(.*?)\s*((?<=\s)-)?\}\}/gs)) {
    addText(match.index, match[1] !== undefined);
    pieces.push({ kind: 'action', value: match[2] ?? '' });
    trimStart = match[3] !== undefined;
    last = match.index + match[0].length;
  }
  addText(template.length, false);
  return pieces;
}
