import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** A page with everything it did wrong. */
export interface WatchedPage {
  readonly page: Page;
  /** Broken rules of the content security policy, faults of scripts, and requests to anywhere but ours. */
  readonly faults: readonly string[];
}

export interface TestChromium {
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  close(): Promise<void>;
}

/** One step of a journey; generous for a busy machine, and below the time of a whole test. */
const stepTimeoutMs = 15_000;

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function startChromium(): Promise<TestChromium> {
  const home = await mkdtemp(path.join(tmpdir(), 'hearth-chromium-'));
  const forget = () => rm(home, { recursive: true, force: true });
  const browser = await chromium
    .launch({
      executablePath: process.env['HEARTH_CHROMIUM'] ?? '/usr/bin/chromium',
      args: flags,
      headless: true,
      env: { ...process.env, HOME: home },
    })
    .catch(async (error: unknown) => {
      await forget();
      throw error;
    });
  return {
    newContext: (options) => browser.newContext({ reducedMotion: 'reduce', ...options }),
    async close() {
      await browser.close();
      await forget();
    },
  };
}

/** Opens a page that notes every fault; `origins` are the only places it may talk to. */
export async function watchedPage(context: BrowserContext, origins: readonly string[]): Promise<WatchedPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(stepTimeoutMs);
  const faults: string[] = [];
  await page.exposeFunction('noteCspViolation', (text: string) => faults.push(`policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const note = (window as unknown as { noteCspViolation(text: string): void }).noteCspViolation;
      note(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && !origins.includes(origin)) faults.push(`request: ${origin}`);
  });
  return { page, faults };
}
