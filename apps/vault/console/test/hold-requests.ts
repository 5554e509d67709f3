import type { Page } from 'playwright-core';

export interface HeldRequests {
  /** Settles when the first request is being held. */
  readonly begun: Promise<void>;
  /** How many were sent so far. */
  count(): number;
  /** Lets all of them go, and all later ones. */
  release(): void;
}

/** Holds what a page sends to an address: the moment between a click and its answer, for as long as a test wants. */
export async function holdRequests(
  page: Page,
  address: string | RegExp,
  method?: string,
): Promise<HeldRequests> {
  let sent = 0;
  let begin: () => void = () => undefined;
  let release: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    if (method !== undefined && route.request().method() !== method) return route.fallback();
    sent += 1;
    begin();
    await released;
    await route.continue();
  });
  return { begun, count: () => sent, release };
}
