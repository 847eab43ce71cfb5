/**
 * Accessibility checks of the extension's pages: clipped text, and violations that axe-core rates
 * serious.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Webviews } from './webviews.ts';

const inPage = readFileSync(join(import.meta.dirname, 'clipped.js'), 'utf8');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns a line for each element whose text or pictures overflow without a way to scroll. */
export const findClipped = async (webviews: Webviews): Promise<readonly string[]> => {
  const found = await Promise.all(
    (await webviews.all()).map((frame) => frame.evaluate(inPage) as Promise<readonly string[]>),
  );
  return found.flat().map((line) => `clipped: ${line}`);
};

/** Number of violations reported per page. */
const maxReported = 6;

/** Returns a line for each violation of the two highest impacts. */
export const findViolations = async (webviews: Webviews): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const frame of await webviews.all()) {
    await frame.evaluate(`${axe}; undefined`);
    const answer = await frame.evaluate(`axe.run(document, { resultTypes: ['violations'] })
      .then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, impact, nodes }) => nodes.map(({ html, failureSummary }) =>
          id + ' (' + impact + '): ' + html.slice(0, 160) + ' ' + failureSummary.slice(0, 240))))`);
    const lines = answer as readonly string[];
    found.push(...lines.slice(0, maxReported));
    if (lines.length > maxReported) found.push(`and ${lines.length - maxReported} more`);
  }
  return found.map((line) => `axe: ${line}`);
};
