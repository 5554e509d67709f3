import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds in the dialog that is open, else in the whole page, by every rule in both themes. */
export async function axeProblems(page: Page): Promise<string[]> {
  // A script of the test, not of the page: it goes in beside the policy, which stays in force for the page.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const found: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    const { violations } = await page.evaluate((only) => {
      const { axe } = window as unknown as {
        axe: { run(where: unknown, how: object): Promise<AxeResults> };
      };
      return axe.run(document.querySelector('dialog[open]') ?? document, {
        runOnly: only,
        resultTypes: ['violations'],
      });
    }, rules);
    for (const { id, help, nodes } of violations) {
      found.push(`${theme} ${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
    }
  }
  return found;
}
