import type { Command } from 'commander';
import { commandError } from './command-context.js';

/** Commands whose argument is a model's name. */
const takesModel = ['run', 'show', 'stop', 'push', 'cp', 'rm', 'pull', 'list', 'ls'];

/** The script that teaches a shell this program's words. Model names are asked of the server when they are needed. */
export function completionScript(program: Command, shell: string): string {
  const commands = program.commands.filter((command) => !command.name().startsWith('_'));
  const names = commands.map((command) => command.name());
  switch (shell) {
    case 'bash':
      return bash(commands, names);
    case 'zsh':
      return zsh(commands);
    case 'fish':
      return fish(commands);
    default:
      throw commandError(`no completion for "${shell}": choose bash, zsh or fish`);
  }
}

function flagsOf(command: Command): readonly string[] {
  return command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));
}

function bash(commands: readonly Command[], names: readonly string[]): string {
  const flags = commands.map((command) => `    ${command.name()}) flags="${flagsOf(command).join(' ')}" ;;`);
  return `_hearth() {
  local line="\${COMP_LINE:0:COMP_POINT}" command="\${COMP_WORDS[1]}" flags="" word before
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names.join(' ')} --help --version" -- "$command"))
    return
  fi
  # Bash takes a colon for the end of a word, and most names of models have one.
  word="\${line##*[[:space:]]}"
  before="\${word%"\${word##*:}"}"
  case "$command" in
${flags.join('\n')}
  esac
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
    return
  fi
  case " ${takesModel.join(' ')} " in
    *" $command "*)
      COMPREPLY=($(compgen -W "$(hearth __models 2>/dev/null)" -- "$word"))
      if [[ "$COMP_WORDBREAKS" == *:* ]]; then COMPREPLY=("\${COMPREPLY[@]#"$before"}"); fi
      ;;
  esac
}
complete -o default -F _hearth hearth
`;
}

function zsh(commands: readonly Command[]): string {
  const described = commands.map((command) => `    '${command.name()}:${quoted(command.description())}'`);
  const flags = commands.map(
    (command) => `    ${command.name()}) compadd -- ${flagsOf(command).join(' ')} ;;`,
  );
  return `#compdef hearth
_hearth() {
  local -a commands models
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  if [[ "$words[CURRENT]" == -* ]]; then
    case "$words[2]" in
${flags.join('\n')}
    esac
    return
  fi
  case "$words[2]" in
    ${takesModel.join('|')})
      models=(\${(f)"$(hearth __models 2>/dev/null)"})
      compadd -a models
      ;;
    *) _files ;;
  esac
}
# As a file of fpath this is the function's own body; sourced, it only makes the function known.
if [ "$funcstack[1]" = "_hearth" ]; then
  _hearth "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _hearth hearth
fi
`;
}

function fish(commands: readonly Command[]): string {
  const lines = ['complete -c hearth -f'];
  for (const command of commands) {
    lines.push(
      `complete -c hearth -n __fish_use_subcommand -a ${command.name()} -d '${quoted(command.description())}'`,
    );
    for (const option of command.options.filter(({ hidden }) => !hidden)) {
      const short = option.short ? ` -s ${option.short.slice(1)}` : '';
      // A value is asked for, and offered from the disk where it is a place on it.
      const value = option.required ? ` -r${/<(file|folder)/.test(option.flags) ? ' -F' : ''}` : '';
      lines.push(
        `complete -c hearth -n '__fish_seen_subcommand_from ${command.name()}' -l ${option.long?.slice(2)}` +
          `${short}${value} -d '${quoted(option.description)}'`,
      );
    }
  }
  lines.push(
    `complete -c hearth -n '__fish_seen_subcommand_from ${takesModel.join(' ')}' -a '(hearth __models 2>/dev/null)'`,
  );
  return `${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return text.replace(/['\\:]/g, '');
}
