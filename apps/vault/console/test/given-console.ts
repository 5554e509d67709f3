import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startTestVault } from '../../test/start-test-vault.js';
import { startChromium, type TestChromium, watchedPage } from './chromium.js';
import { startTogether } from './start-together.js';

/** What a browser needs to know of a vault, however it was started. */
export interface ServedVault {
  readonly url: string;
  readonly standInUrl: string;
  close(): Promise<void>;
}

export interface ConsoleOptions {
  readonly browser?: BrowserContextOptions;
  /** One page for all tests of a file, each of which begins where it likes. Else each has a browser's memory of its own. */
  readonly onePage?: boolean;
  readonly startVault?: () => Promise<ServedVault>;
}

/** The vault and the browser of a test file, from its first test on. */
export let vault: ServedVault;
let chromium: TestChromium;
export let context: BrowserContext;
export let page: Page;

/** Starts a vault and a browser for the tests of a file; none of them may leave a fault in its page. */
export function givenConsole(options: ConsoleOptions = {}): void {
  const { browser, onePage = false, startVault = startTestVault } = options;
  let faults: readonly string[] = [];
  const open = async () => {
    context = await chromium.newContext(browser);
    ({ page, faults } = await watchedPage(context, [vault.url, vault.standInUrl]));
  };
  beforeAll(async () => {
    [vault, chromium] = await startTogether(startVault, startChromium);
    if (onePage) await open();
  }, 120_000);
  afterAll(async () => {
    await chromium?.close();
    await vault?.close();
  });
  if (!onePage) {
    beforeEach(open);
    afterEach(() => context?.close());
  }
  // Trusted types and the policy of the page held all the way, and nothing was asked of anybody else.
  afterEach(() => expect(faults).toEqual([]));
}
