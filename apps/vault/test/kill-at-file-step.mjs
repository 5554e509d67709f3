import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Gives a file its next text and dies without warning before the given call that touches a file. Says `done` where
// fewer calls than that were needed.
const [step, file, text] = process.argv.slice(2);

let left = Number(step);
let counting = false;
for (const name of Object.keys(fs).filter((each) => each.endsWith('Sync'))) {
  const call = fs[name];
  fs[name] = (...args) => {
    if (counting) left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    return call(...args);
  };
}
syncBuiltinESMExports();

const { replaceFileAlone } = await import('../dist/keys/replace-file-alone.js');
counting = true;
replaceFileAlone(file, () => text);
counting = false;
process.stdout.write('done');
