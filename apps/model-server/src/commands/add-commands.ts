import type { ProgressResponse } from '@hearth/protocol-types/runner/progress-response';
import type { TagsResponse } from '@hearth/protocol-types/runner/tags-response';
import { type Command, Option } from 'commander';
import type { CommandContext } from './command-context.js';
import { commandError } from './command-context.js';
import { completionScript } from './completion-script.js';
import type { CreateModelOptions } from './create-model.js';
import { listLoaded, listModels } from './list-models.js';
import type { RunOptions } from './run-model.js';
import { ServerReplyError } from './server-client.js';
import { type ShowOptions, showModel } from './show-model.js';
import { showProgress } from './show-progress.js';

/** What `run` takes, in our spelling and in that of other runners. */
type RunFlags = RunOptions & { readonly hidethinking?: boolean; readonly keepalive?: string };

/**
 * Every command besides `serve`: all of them talk to a running server. The larger ones are read only when they are
 * called, because a shell that completes a word asks this program each time.
 */
export function addCommands(program: Command, context: CommandContext): Command {
  const { client, stdout } = context;
  const command = (usage: string, description: string) => program.command(usage).description(description);

  command('run <model> [prompt...]', 'talk to a model; pulls it first if need be')
    .option('--system <text>', 'what the model is told before the conversation')
    .option('--format <format>', 'answer in this format: json, or a JSON schema')
    .option('--think [level]', 'let the model think first (low, medium, high: how hard)')
    .option('--no-think', 'answer without thinking')
    .option('--hide-thinking', 'do not print the thoughts')
    .option('--keep-alive <duration>', 'how long the model stays loaded afterwards (5m, 1h, -1)')
    .option('--insecure', 'allow a registry without TLS when the model has to be pulled')
    .option('--verbose', 'print the speed after the answer')
    // As other runners of this family write them.
    .addOption(new Option('--hidethinking').hideHelp())
    .addOption(new Option('--keepalive <duration>').hideHelp())
    .addOption(new Option('--nowordwrap').hideHelp())
    .action(
      reporting(async (model: string, words: string[], { hidethinking, keepalive, ...options }: RunFlags) => {
        const { runModel } = await import('./run-model.js');
        await runModel(context, model, words, {
          ...(hidethinking ? { hideThinking: true } : {}),
          ...(keepalive === undefined ? {} : { keepAlive: keepalive }),
          ...options,
        });
      }),
    );

  const transfers = [
    ['pull', 'fetch a model from a registry or from Hugging Face (hf.co/user/repository:quant)'],
    ['push', 'send a model to a registry'],
  ] as const;
  for (const [name, description] of transfers) {
    command(`${name} <model>`, description)
      .option('--insecure', 'allow a registry without TLS')
      .action(
        reporting((model: string, { insecure = false }: { insecure?: boolean }) =>
          showProgress(context, client.lines<ProgressResponse>(`/api/${name}`, { model, insecure })),
        ),
      );
  }

  command('list [prefix]', 'list the models of the server')
    .alias('ls')
    .option('--json', 'print JSON')
    .action(
      reporting((prefix: string | undefined, options: { json?: boolean }) =>
        listModels(context, prefix, options),
      ),
    );

  command('show <model>', 'say what a model is')
    .option('--json', 'print JSON')
    .option('-v, --verbose', 'also the header of its file and its tensors')
    .option('--modelfile', 'print its Modelfile')
    .option('--license', 'print its license')
    .option('--parameters', 'print its parameters')
    .option('--system', 'print its system message')
    .option('--template', 'print its template')
    .action(reporting((model: string, options: ShowOptions) => showModel(context, model, options)));

  command('ps', 'list the models in memory')
    .option('--json', 'print JSON')
    .action(reporting((options: { json?: boolean }) => listLoaded(context, options)));

  command('stop <model>', 'take a model out of memory').action(
    reporting(async (model: string) => {
      await client.json('POST', '/api/generate', { model, keep_alive: 0, stream: false });
    }),
  );

  command('create <model>', 'make a model from a Modelfile')
    .option('-f, --file <file>', 'the Modelfile; - reads it from a pipe', 'Modelfile')
    // Known to users of other runners; the server says why not.
    .addOption(new Option('-q, --quantize <level>').hideHelp())
    .action(
      reporting(async (model: string, options: CreateModelOptions) => {
        const { createModel } = await import('./create-model.js');
        await createModel(context, model, options);
      }),
    );

  command('cp <source> <destination>', 'give a model a second name').action(
    reporting(async (source: string, destination: string) => {
      await client.json('POST', '/api/copy', { source, destination });
      stdout.write(`copied '${source}' to '${destination}'\n`);
    }),
  );

  command('rm <model...>', 'delete models').action(
    reporting(async (models: string[]) => {
      const refused: string[] = [];
      for (const model of models) {
        try {
          await client.json('DELETE', '/api/delete', { model });
          stdout.write(`deleted '${model}'\n`);
        } catch (error) {
          // One that cannot be deleted does not keep the others.
          if (!(error instanceof ServerReplyError)) throw error;
          refused.push(error.message);
        }
      }
      if (refused.length > 0) throw commandError(refused.join('\n'));
    }),
  );

  command('doctor', 'say what this machine has and what stands in the way')
    .option('--json', 'print JSON')
    .action(
      reporting(async (options: { json?: boolean }) => {
        const { doctor } = await import('./doctor.js');
        if (!(await doctor(context, options))) throw commandError('something needs mending, see above');
      }),
    );

  command('completion <shell>', 'print the completion script for bash, zsh or fish').action(
    (shell: string) => {
      stdout.write(completionScript(program, shell));
    },
  );

  // For the completion scripts: names only, and no word when there is no server.
  program.command('__models', { hidden: true }).action(async () => {
    const reply = await client.json<TagsResponse>('GET', '/api/tags').catch(() => undefined);
    for (const model of reply?.models ?? []) stdout.write(`${model.name}\n`);
  });
  return program;
}

/** What the server refuses reads the same as any other mistake: one line, exit code 1. */
function reporting<Arguments extends unknown[]>(work: (...given: Arguments) => Promise<void>) {
  return async (...given: Arguments): Promise<void> => {
    try {
      await work(...given);
    } catch (error) {
      if (error instanceof ServerReplyError) throw commandError(error.message);
      throw error;
    }
  };
}
