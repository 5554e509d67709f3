import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startTestVault, type TestVault } from '../../test/start-test-vault.js';
import { startChromium, type TestChromium, watchedPage } from './chromium.js';

/** The vault and the browser of a test file, from its first test on. */
export let vault: TestVault;
export let chromium: TestChromium;
/** Each test has a browser's memory and a page of its own. */
export let context: BrowserContext;
export let page: Page;

/** Starts a vault and a browser for the tests of a file; none of them may leave a fault in its page. */
export function givenConsole(options: BrowserContextOptions = {}): void {
  let faults: readonly string[] = [];
  beforeAll(async () => {
    [vault, chromium] = await Promise.all([startTestVault(), startChromium()]);
  }, 120_000);
  afterAll(async () => {
    await chromium?.close();
    await vault?.close();
  });
  beforeEach(async () => {
    context = await chromium.newContext(options);
    ({ page, faults } = await watchedPage(context, [vault.url, vault.standInUrl]));
  });
  afterEach(async () => {
    await context.close();
    expect(faults).toEqual([]);
  });
}
