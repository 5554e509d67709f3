import type { ContentBlock, System } from '@hearth/protocol-types/messages/content-block';
import { GenerationError } from '../../generation/generation-error.js';
import { noVision } from '../../http/no-vision.js';

/** Between pieces of text that the caller keeps apart. */
export const paragraph = '\n\n';

export type TextualBlock = Extract<ContentBlock, { type: 'text' | 'image' | 'document' | 'search_result' }>;

/** A block that stands for text; whatever cannot be read as text is refused by its place in the request. */
export function readTextual(block: TextualBlock, path: string): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      throw noVision(path);
    case 'search_result':
      return tagged('search_result', { source: block.source, title: block.title }, joined(block.content));
    case 'document':
      return tagged(
        'document',
        { title: block.title ?? undefined, context: block.context ?? undefined },
        readDocument(block.source, `${path}.source`),
      );
    default:
      block satisfies never;
      return '';
  }
}

export function readSystem(system: System): string {
  return typeof system === 'string' ? system : joined(system);
}

function readDocument(source: Extract<ContentBlock, { type: 'document' }>['source'], path: string): string {
  switch (source.type) {
    case 'text':
      return source.data;
    case 'content':
      if (typeof source.content === 'string') return source.content;
      return source.content
        .map((part, index) => readTextual(part, `${path}.content.${index}`))
        .join(paragraph);
    default:
      throw new GenerationError(
        'unsupported',
        `${path}: this server reads documents of type text and content only, not ${source.type}`,
        { param: path },
      );
  }
}

function joined(blocks: readonly { readonly text: string }[]): string {
  return blocks.map(({ text }) => text).join(paragraph);
}

function tagged(name: string, attributes: Record<string, string | undefined>, text: string): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}=${JSON.stringify(value)}`],
  );
  return `<${name}${written.join('')}>\n${text}\n</${name}>`;
}
