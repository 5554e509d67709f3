import type { Response } from 'express';
import type { Person } from './people.js';

/** Lets an answer go wrong in the way that this person stands for; false when it goes well. */
export function misbehave(person: Person, response: Response): boolean {
  switch (person.trouble) {
    case 'trouble-slow':
      // Never answered: the connection ends when the caller gives up.
      return true;
    case 'trouble-error':
      response.status(500).type('html').send('<h1>Unicorn!</h1>');
      return true;
    case 'trouble-huge':
      pour(response);
      return true;
    default:
      return false;
  }
}

function pour(response: Response): void {
  const chunk = `"${'x'.repeat(64 * 1024)}",`;
  response.type('json').write('[');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}
