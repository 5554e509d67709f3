/**
 * Something that stops a service from starting and that a person can mend: a busy port, a bad setting, a folder
 * without write permission. Its message is one clear line meant for the terminal, so it is printed without a stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';

  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}
