import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { GenerationError } from '../../generation/generation-error.js';
import { LoadFailures } from './load-failures.js';

let folder: string;
let file: string;
let now = 0;
let failures: LoadFailures;
const broken = new GenerationError('model-unloadable', 'the model cannot be loaded');
const crash = new GenerationError('engine-crashed', 'the engine stopped working');
const check = () => failures.check('m', file);

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hearth-failures-'));
  file = path.join(folder, 'model.gguf');
  writeFileSync(file, 'x');
  now = 1_000_000;
  failures = new LoadFailures(() => now);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a model that could not be loaded is refused until its time has come', () => {
  check();
  failures.record('m', file, broken);
  expect(check).toThrow(expect.objectContaining({ code: 'model-unloadable', retryAfterSeconds: 5 }));
  expect(() => failures.check('other', file)).not.toThrow();
  now += 5000;
  expect(check).not.toThrow();
});

test('each failure in a row makes the wait longer, up to a bound', () => {
  const waits: number[] = [];
  for (let times = 0; times < 9; times += 1) {
    failures.record('m', file, broken);
    try {
      check();
    } catch (error) {
      waits.push((error as GenerationError).retryAfterSeconds ?? 0);
    }
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
});

test('a changed file is tried at once', () => {
  failures.record('m', file, broken);
  utimesSync(file, 1, 1);
  expect(check).not.toThrow();
});

test('the first crash is forgiven, the next one is not, and good work clears the name', () => {
  failures.record('m', file, crash);
  expect(check).not.toThrow();
  failures.record('m', file, crash);
  expect(check).toThrow('the engine stopped working');
  failures.clear('m');
  expect(check).not.toThrow();
});
