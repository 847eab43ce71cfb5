/** Selects the current sample. */
import type { Stage } from './stage.ts';
import { until } from './until.ts';

/**
 * Selects a sample through the palette and the picker; tries again while sample files are still
 * being read.
 */
export const chooseSample = async (
  { page, window }: Stage,
  name: string | RegExp,
): Promise<void> => {
  await until(`the sample ${name} is current`, async () => {
    await window.command('authgraph.selectSample');
    // Long lists render a row only when filtered.
    if (typeof name === 'string') await window.input.fill(name, { timeout: 5000 });
    const row = window.choices.filter({ hasText: name }).first();
    try {
      await row.click({ timeout: 5000 });
    } catch (cause) {
      await page.keyboard.press('Escape');
      throw cause;
    }
    await window.status(name).waitFor({ timeout: 5000 });
    return true;
  });
};
