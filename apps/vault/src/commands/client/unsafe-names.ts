/**
 * Variables that make a program load or run something else. Whoever may write a secret must not thereby run code on
 * the machine of everyone who uses it.
 */
const exact = new Set([
  'PATH',
  'IFS',
  'ENV',
  'BASH_ENV',
  'BASHOPTS',
  'SHELLOPTS',
  'PROMPT_COMMAND',
  'PS4',
  'ZDOTDIR',
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_EXTRA_CA_CERTS',
  'PYTHONSTARTUP',
  'PYTHONPATH',
  'PYTHONHOME',
  'PERL5LIB',
  'PERL5OPT',
  'PERL5DB',
  'RUBYLIB',
  'RUBYOPT',
  'JAVA_TOOL_OPTIONS',
  '_JAVA_OPTIONS',
  'JDK_JAVA_OPTIONS',
  'CLASSPATH',
  'EDITOR',
  'VISUAL',
  'PAGER',
  'BROWSER',
  'LESSOPEN',
  'SSH_ASKPASS',
  'SUDO_ASKPASS',
  'HOME',
  'SHELL',
]);
const prefixes = ['LD_', 'DYLD_', 'GIT_', 'BASH_FUNC_', 'npm_config_', 'NPM_CONFIG_', 'HEARTH_VAULT_'];

export function isUnsafeName(name: string): boolean {
  return exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
