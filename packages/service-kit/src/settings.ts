import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { StartupError } from './startup-error.js';

/**
 * One setting of a service: how it is spelled on the command line and in the environment, and what it may hold.
 * The schema reads text (both sources give text) and carries the default.
 */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  /** The variable of the environment, always there. */
  readonly env: string;
  /** A second spelling of that variable; the first wins. */
  readonly alsoEnv?: string;
  /** The command-line flag as commander spells it (`--port <port>`). Left out where a flag would leak a secret. */
  readonly flag?: string;
  readonly description: string;
  /** What `--help` and the documentation show as default, where the schema's own default is computed or empty. */
  readonly defaultText?: string;
  readonly schema: Schema;
}

export type Settings = Readonly<Record<string, Setting>>;

export type SettingValues<S extends Settings> = { readonly [K in keyof S]: z.output<S[K]['schema']> };

/** Keeps the exact type of each schema, so that `readSettings` returns it. */
export function defineSettings<const S extends Settings>(settings: S): S {
  return settings;
}

/** Gives every variable that has a name of its own (`PUBLIC_URL`) a second one with our prefix. */
export function withPrefixedNames<const S extends Settings>(settings: S, prefix: string): S {
  const named = Object.entries(settings).map(([name, setting]) => [
    name,
    setting.env.startsWith('HEARTH_')
      ? setting
      : { ...setting, alsoEnv: `${prefix}${setting.env.replace(/^VAULT_/, '')}` },
  ]);
  return Object.fromEntries(named) as S;
}

/** Gives a command one flag per setting. Values stay text here: the schemas judge both sources alike. */
export function addSettingsTo(command: Command, settings: Settings): Command {
  for (const setting of Object.values(settings)) {
    if (setting.flag === undefined) continue;
    const shownDefault = setting.defaultText ? `, default: ${setting.defaultText}` : '';
    command.addOption(new Option(setting.flag, `${setting.description} (${setting.env}${shownDefault})`));
  }
  return command;
}

/**
 * Reads every setting from the flags, then from the environment, then from its default, and reports all problems
 * at once. A message names the setting and the rule it broke and never repeats the value: it may be a secret.
 */
export function readSettings<S extends Settings>(
  settings: S,
  sources: { flags: Readonly<Record<string, unknown>>; env: NodeJS.ProcessEnv },
): SettingValues<S> {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, setting] of Object.entries(settings)) {
    const fromFlag = setting.flag === undefined ? undefined : sources.flags[flagKey(setting.flag)];
    // An empty variable is how compose files and shells spell "not set".
    const fromEnv =
      sources.env[setting.env] || (setting.alsoEnv && sources.env[setting.alsoEnv]) || undefined;
    const parsed = setting.schema.safeParse(fromFlag ?? fromEnv);
    if (parsed.success) {
      values[name] = parsed.data;
      continue;
    }
    const label = fromFlag === undefined ? setting.env : (setting.flag?.split(/[ ,]/)[0] ?? setting.env);
    for (const issue of parsed.error.issues) problems.push(`${label}: ${issue.message}`);
  }
  if (problems.length > 0) throw new StartupError(settingsReport(problems));
  return values as SettingValues<S>;
}

/** One line for one problem; a list for several, so that all can be mended in one go. */
export function settingsReport(problems: readonly string[]): string {
  if (problems.length === 1) return `bad setting: ${problems[0]}`;
  return `bad settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`;
}

function flagKey(flag: string): string {
  return new Option(flag).attributeName();
}
