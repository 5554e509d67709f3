import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { singleKeyVerifier } from '@hearth/auth-middleware/single-key-verifier';
import { expect, jest, test } from '@jest/globals';
import { ggufBytes, largeGgufBytes } from '../../test/gguf-bytes.js';
import { runCommand } from '../../test/run-command.js';
import { finishEvent, scriptedGenerator, startEvent, textEvents } from '../../test/scripted-generator.js';
import { startLibraryServer } from '../../test/start-library-server.js';
import { temporaryFolders } from '../../test/temporary-folder.js';
import { startTestRegistry } from '../../test/test-registry.js';
import { closeAfterEach } from '../../test/test-server.js';

// A busy machine makes everything slow; nothing here waits for time to pass.
jest.setTimeout(60_000);

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();

async function arrange(options: Parameters<typeof startLibraryServer>[1] = {}) {
  const server = closeLater(await startLibraryServer(await newFolder(), options));
  const run = (args: string[], more: Parameters<typeof runCommand>[2] = {}) =>
    runCommand(server.url, args, more);
  return { ...server, run };
}

test('list shows the models as a table, as JSON, and by their beginning', async () => {
  const { run } = await arrange();
  const table = await run(['list']);
  expect(table.stdout).toMatch(
    /^NAME\s+ID\s+SIZE\s+MODIFIED\nember:latest\s+[0-9a-f]{12}\s+15\.5 MB\s+\S.*\n$/,
  );
  const json = await run(['ls', '--json']);
  expect(JSON.parse(json.stdout).models).toMatchObject([{ name: 'ember:latest', size: 15_465_728 }]);
  expect((await run(['list', 'em'])).stdout).toContain('ember');
  expect((await run(['list', 'x'])).stdout).not.toContain('ember');
});

test('show says what a model is, one part of it, or everything as JSON', async () => {
  const { run } = await arrange();
  const page = (await run(['show', 'ember'])).stdout;
  for (const fact of ['llama', '14.41M', '2048', '384', 'Q8_0', 'tools', 'apache-2.0'])
    expect(page).toContain(fact);
  expect((await run(['show', 'ember', '--license'])).stdout).toBe('apache-2.0\n');
  expect((await run(['show', 'ember', '--modelfile'])).stdout).toContain('FROM ember:latest');
  expect(JSON.parse((await run(['show', 'ember', '--json'])).stdout).details.family).toBe('llama');
  expect(await run(['show', 'ember', '--license', '--system'])).toMatchObject({ exitCode: 1 });
});

test('ps and stop speak of the models in memory', async () => {
  const unloaded: string[] = [];
  const generator = scriptedGenerator([], {
    listLoaded: () => [
      {
        model: 'ember:latest',
        sizeBytes: 60_000_000,
        sizeVramBytes: 0,
        contextLength: 2048,
        expiresAt: undefined,
        busy: false,
      },
    ],
    unload: async (model) => {
      unloaded.push(model);
      return true;
    },
  });
  const { run } = await arrange({ generator });
  expect((await run(['ps'])).stdout).toMatch(
    /ember:latest\s+[0-9a-f]{12}\s+60\.0 MB\s+100% CPU\s+2048\s+forever/,
  );
  expect(JSON.parse((await run(['ps', '--json'])).stdout).models).toHaveLength(1);
  expect(await run(['stop', 'ember'])).toMatchObject({ exitCode: 0, stdout: '' });
  expect(unloaded).toHaveLength(1);
});

test('pull prints plain lines into a pipe and a bar on a terminal', async () => {
  const { run } = await arrange();
  const registry = closeLater(await startTestRegistry());
  registry.add('a/b:c', { model: largeGgufBytes(3), config: '{}' });
  const name = `http://${registry.host}/a/b:c`;
  const plain = await run(['pull', '--insecure', name]);
  expect(plain.exitCode).toBe(0);
  expect(plain.stderr).toMatch(/^pulling manifest\npulling [0-9a-f]{12} 0% \(0 B\/3\.1 MB\)\n/);
  expect(plain.stderr).toMatch(/100% \(3\.1 MB\/3\.1 MB\)\n/);
  expect(plain.stderr).toMatch(/\nsuccess\n$/);
  expect(plain.stderr).not.toContain('\x1b');
  const bar = await run(['pull', '--insecure', name], { terminalErrors: true });
  expect(bar.stderr).toContain('100% ▕████');
  expect(bar.stderr).toContain('3.1 MB/3.1 MB');
});

test('what goes wrong is one line and an exit code', async () => {
  const { run } = await arrange();
  expect(await run(['show', 'nothing'])).toMatchObject({
    exitCode: 1,
    stderr: "model 'nothing' not found\n",
  });
  expect(await run(['rm', 'nothing'])).toMatchObject({ exitCode: 1 });
  expect(await run(['pull', 'http://127.0.0.1:1/a/b'])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('insecure'),
  });
  expect(await run(['nonsense'])).toMatchObject({ exitCode: 1 });
  const none = await runCommand('http://127.0.0.1:1', ['list']);
  expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('hearth serve') });
});

test('a server with a key says which setting is missing or wrong', async () => {
  const { run } = await arrange({ verifier: singleKeyVerifier('sesame') });
  expect(await run(['list'])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('set HEARTH_API_KEY'),
  });
  const wrong = await run(['list'], { apiKey: 'not-it' });
  expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('does not accept the key') });
  expect(wrong.stderr).not.toContain('not-it');
  expect(await run(['list'], { apiKey: 'sesame' })).toMatchObject({ exitCode: 0 });
});

test('create makes a model from a Modelfile and a GGUF beside it, sent once', async () => {
  const { run, library } = await arrange();
  const folder = await newFolder();
  await mkdir(path.join(folder, 'files'));
  await writeFile(path.join(folder, 'files', 'tiny.gguf'), ggufBytes());
  const modelfile = path.join(folder, 'Modelfile');
  await writeFile(
    modelfile,
    'FROM ./files/tiny.gguf\nSYSTEM """\nBe\nbrief."""\nPARAMETER temperature 0.5\n',
  );
  const first = await run(['create', 'mine', '-f', modelfile]);
  expect(first).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/hashing .*100%.*copying file .*100%.*success\n$/s),
  });
  expect(await library.catalogue.find('mine')).toMatchObject({
    system: '\nBe\nbrief.',
    parameters: { temperature: 0.5 },
  });
  const second = await run(['create', 'other', '-f', modelfile]);
  expect(second.stderr).not.toContain('copying file');
  expect(await run(['create', 'x', '-f', path.join(folder, 'none')])).toMatchObject({ exitCode: 1 });
});

test('create reads the Modelfile from a pipe, takes the only GGUF of a folder, and says what it cannot do', async () => {
  const { run, library } = await arrange();
  const folder = await newFolder();
  const create = (text: string, ...more: string[]) =>
    run(['create', 'mine', '-f', '-', ...more], { stdin: text });
  // A folder of the same name is not meant by a model's name.
  expect(await create('FROM ember\nPARAMETER mirostat 1\n')).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('without effect here: PARAMETER mirostat'),
  });
  const none = await create(`FROM ${folder}\n`);
  expect(none).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no GGUF file in this folder') });
  await writeFile(path.join(folder, 'tiny.gguf'), ggufBytes());
  await writeFile(path.join(folder, 'mmproj-tiny.gguf'), 'x');
  expect(await create(`FROM ${folder}/\nSYSTEM Hi\n`)).toMatchObject({ exitCode: 0 });
  expect(await library.catalogue.find('mine')).toMatchObject({ system: 'Hi' });
  await writeFile(path.join(folder, 'other.gguf'), ggufBytes());
  const many = await create(`FROM ${folder}\n`);
  expect(many).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('other.gguf, tiny.gguf') });
  const quantized = await create('FROM ember\n', '-q', 'q4_0');
  expect(quantized).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('quantizing') });
});

test('create names a file that cannot be read', async () => {
  const { run } = await arrange();
  const folder = await newFolder();
  // Not even root can read the beginning of that one; where there is no such tree, there is no such file either.
  await symlink('/proc/self/mem', path.join(folder, 'broken.gguf'));
  const made = await run(['create', 'mine', '-f', '-'], { stdin: `FROM ${folder}/broken.gguf` });
  expect(made).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/broken\.gguf.* (cannot be read|no such file)/),
  });
});

test('a model served from a file cannot be pushed, and push says what to do', async () => {
  const { run } = await arrange();
  expect(await run(['push', 'ember'])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('copy it to the name it shall have'),
  });
});

test('cp and rm', async () => {
  const { run, library } = await arrange();
  expect(await run(['cp', 'ember', 'a'])).toMatchObject({ stdout: "copied 'ember' to 'a'\n" });
  await run(['cp', 'ember', 'b']);
  expect(await run(['rm', 'a', 'nothing', 'b'])).toMatchObject({
    stdout: "deleted 'a'\ndeleted 'b'\n",
    stderr: "model 'nothing' not found\n",
    exitCode: 1,
  });
  expect(await library.catalogue.list()).toHaveLength(1);
});

test('run answers one question from its arguments, from a pipe, or from both', async () => {
  const generator = scriptedGenerator([startEvent, ...textEvents('Hel', 'lo'), finishEvent]);
  const { run } = await arrange({ generator });
  expect(await run(['run', 'ember', 'who', 'are', 'you?'])).toMatchObject({ exitCode: 0, stdout: 'Hello\n' });
  await run(['run', 'ember'], { stdin: 'from a pipe\n' });
  await run(['run', 'ember', 'sum this up:', '--system', 'Be brief.'], { stdin: 'a file' });
  const asked = generator.requests.map(({ prompt }) => (prompt.kind === 'chat' ? prompt.messages : []));
  expect(asked).toMatchObject([
    [{ role: 'user', content: 'who are you?' }],
    [{ role: 'user', content: 'from a pipe' }],
    [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'sum this up:\n\na file' },
    ],
  ]);
});

test('run takes a schema as the format, and how hard to think before or instead of a question', async () => {
  const generator = scriptedGenerator([startEvent, ...textEvents('Hello'), finishEvent]);
  const { run } = await arrange({ generator });
  const schema = { type: 'object', properties: { a: { type: 'integer' } } };
  await run(['run', 'ember', '--format', JSON.stringify(schema), 'x']);
  await run(['run', 'ember', '--think', 'who', 'are', 'you?']);
  await run(['run', 'ember', '--think=high', '--keepalive', '1m', '--nowordwrap', 'hi']);
  await run(['run', 'ember', '--think=false', 'hi']);
  const [first, second, third, fourth] = generator.requests;
  expect(first?.format).toMatchObject({ schema });
  expect(second).toMatchObject({ prompt: { messages: [{ content: 'who are you?' }] } });
  expect([second, third, fourth].map((request) => request?.thinking)).toEqual([
    { mode: 'on' },
    { mode: 'on', effort: 'high' },
    { mode: 'off' },
  ]);
  expect(await run(['run', 'ember', '--format', '{"type":', 'x'])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('not JSON'),
  });
});

test('run pulls a model that is not there yet', async () => {
  const { run } = await arrange();
  await run(['rm', 'ember']);
  const outcome = await run(['run', 'ember', 'hi']);
  expect(outcome).toMatchObject({
    exitCode: 0,
    stdout: 'Hello\n',
    stderr: expect.stringContaining('success'),
  });
});

test('doctor tells what it found, in words and as JSON', async () => {
  const { run, url } = await arrange();
  const env = { HEARTH_DATA: await newFolder() };
  const words = await run(['doctor'], { env });
  for (const name of ['node', 'cores', 'memory', 'gpu', 'disk', 'key', 'server']) {
    expect(words.stdout).toMatch(new RegExp(`^(ok|BAD)\\s+${name}\\s+\\S`, 'm'));
  }
  expect(words.stdout).toContain(`runs at ${url} with 1 model: ember:latest`);
  const json = JSON.parse((await run(['doctor', '--json'], { env })).stdout);
  expect(json.findings).toHaveLength(7);
});

test('completion in bash finds names of models past their colon', async () => {
  const { run } = await arrange();
  const { stdout: script } = await run(['completion', 'bash']);
  const asked = `${script}
hearth() { printf 'ember:latest\\nember:small\\nother:latest\\n'; }
complete_line() { COMP_LINE="$1"; COMP_POINT=\${#1}; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hearth; echo "\${COMPREPLY[*]}"; }
complete_line 'hearth sh' hearth sh
complete_line 'hearth run em' hearth run em
complete_line 'hearth run ember:' hearth run ember :
complete_line 'hearth run ember:l' hearth run ember : l
complete_line 'hearth pull --in' hearth pull --in
`;
  const { stdout } = await promisify(execFile)('bash', ['-c', asked]);
  expect(stdout.trimEnd().split('\n')).toEqual([
    'show',
    'ember:latest ember:small',
    'latest small',
    'latest',
    '--insecure',
  ]);
});

test.each(['bash', 'zsh', 'fish'])(
  'the completion for %s knows every command and asks for model names',
  async (shell) => {
    const { run } = await arrange();
    const { stdout } = await run(['completion', shell]);
    for (const word of ['run', 'pull', 'doctor', 'insecure', 'hearth __models'])
      expect(stdout).toContain(word);
    expect((await run(['__models'])).stdout).toBe('ember:latest\n');
    expect(await runCommand('http://127.0.0.1:1', ['__models'])).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
  },
);
