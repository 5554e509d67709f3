import type { Message } from '../../generation/message.js';
import type { RenderTemplate } from './compile-template.js';
import { type MessageShape, templateMessages, templateTools } from './template-messages.js';

export interface TemplateTraits {
  readonly shape: MessageShape;
  readonly showsTools: boolean;
  readonly showsToolTurns: boolean;
  readonly showsSystem: boolean;
  readonly showsLaterSystem: boolean;
  /** Some variable opens or closes the thinking block. */
  readonly switchesThinking: boolean;
}

const user: Message = { role: 'user', content: 'probe-question' };
const answer: Message = { role: 'assistant', content: 'probe-answer' };
const system: Message = { role: 'system', content: 'probe-system' };
const probeTool = {
  name: 'probe_tool',
  description: 'probe',
  parameters: { type: 'object', properties: { probe_key: { type: 'string' } }, required: ['probe_key'] },
};
const callTurns: readonly Message[] = [
  user,
  {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'probecall', name: 'probe_tool', argumentsText: '{"probe_key":"probe-value"}' }],
  },
  { role: 'tool', content: 'probe-result', toolCallId: 'probecall', toolName: 'probe_tool' },
];

export const thinkingVariableNames = ['enable_thinking', 'thinking', 'think'] as const;

/**
 * Renders small made-up conversations and looks at what comes out. A template's text says little about what it does
 * with a system message in the middle or with tools: many drop them without a word, and only rendering shows it.
 */
export function probeTemplate(
  render: RenderTemplate,
  source: string,
  special: Readonly<Record<string, string>>,
): TemplateTraits {
  const tools = templateTools([probeTool]);
  const shows = (
    messages: readonly Message[],
    shape: MessageShape,
    texts: readonly string[],
    variables: Readonly<Record<string, unknown>> = {},
  ): boolean => {
    try {
      const text = render({ ...special, ...variables, messages: templateMessages(messages, shape) });
      return texts.every((part) => text.includes(part));
    } catch {
      return false;
    }
  };

  const callIds = /length (?:!= |of |is )?9\b|length != 9/.test(source) ? 'nine-characters' : 'as-given';
  const plain: MessageShape = { argumentsAs: 'object', contentAs: 'text', callIds };
  const contentAs =
    !shows([user], plain, [user.content]) && shows([user], { ...plain, contentAs: 'parts' }, [user.content])
      ? 'parts'
      : 'text';
  const asObject: MessageShape = { ...plain, contentAs };
  const callTexts = ['probe_tool', '"probe_key"', 'probe-value', 'probe-result'];
  const takesObject = shows(callTurns, asObject, callTexts, { tools });
  const takesText =
    !takesObject && shows(callTurns, { ...asObject, argumentsAs: 'text' }, callTexts, { tools });
  const shape: MessageShape = { ...asObject, argumentsAs: takesText ? 'text' : 'object' };

  const opening = (think: boolean): string => {
    const variables = Object.fromEntries(thinkingVariableNames.map((name) => [name, think]));
    try {
      return render({
        ...special,
        ...variables,
        messages: templateMessages([user], shape),
        add_generation_prompt: true,
      });
    } catch {
      return '';
    }
  };

  return {
    shape,
    showsTools: shows([user], shape, ['probe_tool', 'probe_key'], { tools }),
    showsToolTurns: takesObject || takesText,
    showsSystem: shows([system, user], shape, [system.content, user.content]),
    showsLaterSystem: shows([user, answer, system, user], shape, [system.content]),
    switchesThinking: opening(true) !== opening(false),
  };
}
