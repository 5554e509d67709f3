import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { finishEvent, scriptedGenerator, startEvent, textEvents } from '../../../test/scripted-generator.js';
import { startLibraryServer } from '../../../test/start-library-server.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { canMakeTerminals, TerminalProgram } from '../../../test/terminal-program.js';
import { closeAfterEach } from '../../../test/test-server.js';

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();
const enter = '\r';
const ctrlC = '\x03';
const ctrlD = '\x04';
const arrowUp = '\x1b[A';

if (!canMakeTerminals) process.stdout.write('hearth: skipping the terminal tests: no /usr/bin/script here\n');
const terminalTest = canMakeTerminals ? test : test.skip;

async function arrange(
  generator = scriptedGenerator([startEvent, ...textEvents('Hel', 'lo!'), finishEvent]),
) {
  const server = closeLater(await startLibraryServer(await newFolder(), { generator }));
  const data = await newFolder();
  const start = (...args: string[]) =>
    closeLater(new TerminalProgram(args, { HEARTH_HOST: server.url, HEARTH_DATA: data, HEARTH_API_KEY: '' }));
  const asked = () =>
    generator.requests.map(({ prompt }) =>
      prompt.kind === 'chat' ? prompt.messages.map((message) => message.content) : [],
    );
  return { server, generator, data, start, asked };
}

terminalTest(
  'a chat remembers what was said, and keeps its lines for the next one',
  async () => {
    const { start, asked, data } = await arrange();
    const chat = start('run', 'ember');
    await chat.see('>>> ');
    chat.press(`hi${enter}`);
    await chat.see('Hello!');
    await chat.see('>>> ');
    chat.press(`"""two${enter}`);
    await chat.see('... ');
    chat.press(`lines"""${enter}`);
    await chat.see('Hello!');
    await chat.see('>>> ');
    chat.press(`/bye${enter}`);
    expect(await chat.exitCode()).toBe(0);
    expect(asked()).toEqual([['hi'], ['hi', 'Hello!', 'two\nlines']]);
    const history = path.join(data, 'chat-history');
    expect(await readFile(history, 'utf8')).toContain('hi\n');
    expect((await stat(history)).mode & 0o077).toBe(0);
    const next = start('run', 'ember');
    await next.see('>>> ');
    next.press(arrowUp);
    await next.see('/bye');
    next.press(enter);
    expect(await next.exitCode()).toBe(0);
  },
  60_000,
);

terminalTest(
  'what is pasted is one message, however many lines it has',
  async () => {
    const { start, asked } = await arrange();
    const chat = start('run', 'ember');
    await chat.see('>>> ');
    chat.press('\x1b[200~Explain:\r  first();\r\r  second();\x1b[201~');
    await chat.see('second();');
    chat.press(enter);
    await chat.see('Hello!');
    await chat.see('>>> ');
    chat.press('\x1b[200~thrown\raway\x1b[201~');
    await chat.see('away');
    chat.press(ctrlC);
    await chat.see('>>> ');
    chat.press(`next${enter}`);
    await chat.see('Hello!');
    await chat.see('>>> ');
    chat.press(ctrlD);
    expect(await chat.exitCode()).toBe(0);
    const [first, second] = asked();
    expect(first).toEqual(['Explain:\n  first();\n\n  second();']);
    expect(second?.at(-1)).toBe('next');
  },
  60_000,
);

terminalTest(
  'a paste whose end is lost is over with Ctrl-C',
  async () => {
    const { start, asked } = await arrange();
    const chat = start('run', 'ember');
    await chat.see('>>> ');
    chat.press('\x1b[200~half\ra paste');
    await chat.see('a paste');
    chat.press(ctrlC);
    await chat.see('>>> ');
    chat.press(`next${enter}`);
    await chat.see('Hello!');
    chat.press(ctrlD);
    expect(await chat.exitCode()).toBe(0);
    expect(asked()).toEqual([['next']]);
  },
  60_000,
);

terminalTest(
  'Ctrl-C stops the answer and not the chat; Ctrl-D leaves',
  async () => {
    const never = new Promise<never>(() => undefined);
    const generator = scriptedGenerator([startEvent, ...textEvents('It was'), never]);
    const { start, asked } = await arrange(generator);
    const chat = start('run', 'ember');
    await chat.see('>>> ');
    chat.press(ctrlC);
    await chat.see('Use Ctrl-D or /bye to leave.');
    await chat.see('>>> ');
    chat.press('half a thought');
    await chat.see('half a thought');
    chat.press(ctrlC);
    await chat.see('>>> ');
    chat.press(`tell me a story${enter}`);
    await chat.see('It was');
    expect(asked()).toEqual([['tell me a story']]);
    const ended = new Promise((resolve) => generator.signals[0]?.addEventListener('abort', resolve));
    chat.press(ctrlC);
    await ended;
    await chat.see('>>> ');
    chat.press(ctrlD);
    expect(await chat.exitCode()).toBe(0);
  },
  60_000,
);

terminalTest(
  'Ctrl-D during an answer leaves, and what was typed after /bye is not asked',
  async () => {
    const never = new Promise<never>(() => undefined);
    const { start, asked } = await arrange(scriptedGenerator([startEvent, ...textEvents('It was'), never]));
    const chat = start('run', 'ember');
    await chat.see('>>> ');
    chat.press(`tell me a story${enter}`);
    await chat.see('It was');
    chat.press(ctrlD);
    expect(await chat.exitCode()).toBe(0);
    const next = start('run', 'ember');
    await next.see('>>> ');
    next.press(`/bye${enter}too late${enter}`);
    expect(await next.exitCode()).toBe(0);
    expect(asked()).toEqual([['tell me a story']]);
  },
  60_000,
);

terminalTest(
  '/set, /show, /save and /? work inside a chat, and what the server refuses does not end it',
  async () => {
    const { start, server, generator } = await arrange();
    const chat = start('run', 'ember');
    const say = async (line: string, answer: string) => {
      await chat.see('>>> ');
      chat.press(line + enter);
      return await chat.see(answer);
    };
    await say('/set parameter temperature 0.25', 'Set temperature');
    await say('/set parameter temperature hot', 'parameter temperature must be a number');
    await say('/set parameter tempratur 1', "unknown parameter 'tempratur'");
    await say('/set parameter stop "the end" END', 'Set stop');
    await say('/set system """Be', '... ');
    chat.press(`brief."""${enter}`);
    await chat.see('Set the system message.');
    expect(await say('/show parameters', '"END"')).toMatch(
      /temperature +0\.25\s+stop +"the end"\s+stop +"END"/,
    );
    await say('hi', 'Hello!');
    await say('/save friend', 'Saved as friend.');
    await say('/load friend', 'Now talking to friend.');
    await say('again', 'Hello!');
    await say('/save friend', 'Saved as friend.');
    await say('/load nothing', "Error: model 'nothing' not found");
    await say('/nonsense', 'Unknown command /nonsense');
    await say('/?', '/set system');
    await say('/bye', '/bye');
    expect(await chat.exitCode()).toBe(0);
    expect(generator.requests[0]?.sampling.temperature).toBe(0.25);
    expect(await server.library.catalogue.find('friend')).toMatchObject({
      system: 'Be\nbrief.',
      parameters: { temperature: 0.25, stop: ['the end', 'END'] },
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Hello!' },
        { role: 'user', content: 'again' },
        { role: 'assistant', content: 'Hello!' },
      ],
    });
  },
  60_000,
);
