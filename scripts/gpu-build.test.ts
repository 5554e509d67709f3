import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const script = path.join(import.meta.dirname, 'gpu-build.mjs');
const { buildsToLeaveOut, leaveOut } = (await import(script)) as {
  buildsToLeaveOut(kind: string, platform: string): string[];
  leaveOut(text: string, names: readonly string[]): string;
};

const workspace = () => readFile(path.resolve(import.meta.dirname, '../pnpm-workspace.yaml'), 'utf8');
const builds = (text: string) => [...text.matchAll(/@node-llama-cpp\/(\S+)'/g)].map(([, name]) => name);

test('the workspace as it is leaves every build for a GPU out', async () => {
  const text = await workspace();
  expect(leaveOut(text, buildsToLeaveOut('off', 'linux-x64'))).toBe(text);
});

test('a build is installed with what belongs to it, and for this machine alone', async () => {
  const text = await workspace();
  const withCuda = leaveOut(text, buildsToLeaveOut('cuda', 'linux-x64'));
  expect(builds(text).filter((name) => !builds(withCuda).includes(name))).toEqual([
    'linux-x64-cuda',
    'linux-x64-cuda-ext',
  ]);
  const withVulkan = leaveOut(text, buildsToLeaveOut('vulkan', 'win32-x64'));
  expect(builds(text).filter((name) => !builds(withVulkan).includes(name))).toEqual(['win-x64-vulkan']);
});

test('the list is put back as it was', async () => {
  const text = await workspace();
  const withCuda = leaveOut(text, buildsToLeaveOut('cuda', 'linux-x64'));
  expect(leaveOut(withCuda, buildsToLeaveOut('off', 'linux-x64'))).toBe(text);
});
