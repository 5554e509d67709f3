import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartupError } from '@hearth/service-kit/startup-error';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeMasterKey, printMasterKey } from '../crypto/master-key.js';
import { changeKeyFile, makeKeyFile, readKeyFile } from './master-key-file.js';

const [one, two] = [makeMasterKey(), makeMasterKey()];
const self = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
const isRoot = self.uid === 0;
/** Somebody else, where this process may give files away; itself elsewhere. */
const owner = isRoot ? { uid: 12_345, gid: 23_456 } : self;
const inTheClear = { before: undefined, after: undefined };
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'key-file-'));
  file = path.join(folder, 'key');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function given(mode = 0o600): void {
  writeFileSync(file, `${printMasterKey(one)}\n`);
  chmodSync(file, mode);
}
const change = (name = file) => changeKeyFile(name, inTheClear, () => [two]);
const attributes = (name: string) => {
  const { uid, gid, mode } = statSync(name);
  return { uid, gid, mode: mode & 0o777 };
};

/** As root, work that must be an ordinary user's is done as one. */
function asOrdinaryUser(work: () => void): void {
  if (isRoot) process.seteuid?.(12_345);
  try {
    work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test('a changed file keeps its owner, its group and its mode', () => {
  given(0o640);
  chownSync(file, owner.uid, owner.gid);
  change();
  expect(attributes(file)).toEqual({ ...owner, mode: 0o640 });
  expect(readKeyFile(file)?.active.equals(two)).toBe(true);
});

test('a file that root makes belongs to whoever has the folder, and nobody else may read it', () => {
  const place = path.join(folder, 'of somebody');
  mkdirSync(place);
  chownSync(place, owner.uid, owner.gid);
  file = path.join(place, 'key');
  expect(makeKeyFile(file, [one])).toBe(true);
  expect(attributes(file)).toEqual({ ...owner, mode: 0o600 });
});

test('a file of another user is not touched, and its owner is asked for', () => {
  chmodSync(folder, 0o777);
  given(0o644);
  // Without root, no file can be given away: there is one of root's.
  const anothers = isRoot ? file : '/etc/passwd';
  symlinkSync(anothers, path.join(folder, 'link'));
  asOrdinaryUser(() =>
    expect(() => change(path.join(folder, 'link'))).toThrow(
      /belongs to another user: run this as its owner$/,
    ),
  );
  expect(readdirSync(folder).sort()).toEqual(['key', 'link']);
});

test('where the file is a link, the keys are changed in what it leads to', () => {
  given();
  const link = path.join(folder, 'link');
  symlinkSync('key', link);
  change(link);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(file, 'utf8')).not.toContain(printMasterKey(one));
  expect(readKeyFile(link)?.active.equals(two)).toBe(true);
});

test('no first key is made in the place of a link that leads nowhere', () => {
  symlinkSync('on-a-disk-that-is-not-there', file);
  expect(makeKeyFile(file, [one])).toBe(false);
  expect(readdirSync(folder)).toEqual(['key']);
});

test('what another command has begun is neither overwritten nor used, and the line says how to go on', () => {
  given();
  writeFileSync(`${file}.new`, 'half', { mode: 0o666 });
  expect(() => change()).toThrow(
    `another command is changing the master key file ${file}, or was killed while it did: if none is running, remove ${file}.new, which nothing uses, and try again`,
  );
  expect(readFileSync(`${file}.new`, 'utf8')).toBe('half');
  expect(readKeyFile(file)?.active.equals(one)).toBe(true);
  rmSync(`${file}.new`);
  change();
  expect(attributes(file).mode).toBe(0o600);
});

test('the keys are read when nobody else can change them any more', () => {
  given();
  changeKeyFile(file, inTheClear, ({ active }) => {
    expect(() => change()).toThrow(/^another command is changing the master key file/);
    return [two, active];
  });
  expect(readKeyFile(file)).toEqual({ active: two, retired: [one] });
});

test('a change that fails leaves the file as it was and nothing beside it', () => {
  given();
  const fail = () => {
    throw new StartupError('not like this');
  };
  expect(() => changeKeyFile(file, inTheClear, fail)).toThrow('not like this');
  mkdirSync(path.join(folder, 'a folder'));
  // Read as a key file it is no file, replaced it could not be: errors of the system are one line in any case.
  expect(() => change(path.join(folder, 'a folder'))).toThrow(StartupError);
  expect(() => makeKeyFile(path.join(folder, 'none', 'key'), [one])).toThrow(
    /^cannot write the master key file .*\(ENOENT\)$/,
  );
  expect(() => change(path.join(folder, 'nothing'))).toThrow(/^there is no master key file at /);
  expect(readdirSync(folder).sort()).toEqual(['a folder', 'key']);
  expect(readKeyFile(file)?.active.equals(one)).toBe(true);
});

test.each([
  ['made', undefined],
  ['changed', `${printMasterKey(one)}\n`],
])(
  'a file that is %s by someone who is killed, at whatever moment, is whole: as it was or new',
  (_how, before) => {
    const program = fileURLToPath(new URL('../../test/kill-at-file-step.mjs', import.meta.url));
    const after = `${printMasterKey(two)}\n`;
    const seen = new Set<string | undefined>();
    for (let step = 1, done = false; !done; step += 1) {
      rmSync(file, { force: true });
      if (before !== undefined) writeFileSync(file, before);
      const child = spawnSync(process.execPath, [program, String(step), file, after], { encoding: 'utf8' });
      done = child.stdout === 'done';
      expect({ stderr: child.stderr, ended: done || child.signal === 'SIGKILL' }).toEqual({
        stderr: '',
        ended: true,
      });
      seen.add(existsSync(file) ? readFileSync(file, 'utf8') : undefined);
      // As the line that the next command prints says.
      rmSync(`${file}.new`, { force: true });
    }
    expect([...seen]).toEqual([before, after]);
  },
  60_000,
);
