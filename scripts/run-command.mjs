import { spawn } from 'node:child_process';

/** Runs a program to its end and resolves with its exit code; with `quiet`, its output is kept back and returned. */
export function runCommand(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: options.quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    // Whoever ends this process means the program; it is waited for, so that it can tidy up after itself.
    const pass = (signal) => child.kill(signal);
    process.on('SIGTERM', pass);
    const end = (result) => {
      process.off('SIGTERM', pass);
      resolve(result);
    };
    child.once('error', (error) => end({ code: 127, output: String(error.message) }));
    child.once('close', (code, signal) => end({ code: signal ? 1 : code, output }));
  });
}

/** Ends this process with one clear line. */
export function fail(message, code = 1) {
  process.stderr.write(`hearth: ${message}\n`);
  process.exit(code);
}
