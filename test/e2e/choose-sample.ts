/** Choosing the sample that previews show. */
import type { Stage } from './stage.ts';
import { until } from './until.ts';

/** Through the palette and the picker; again where the files of samples were not read yet. */
export const chooseSample = async (
  { page, window }: Stage,
  name: string | RegExp,
): Promise<void> => {
  await until(`the sample ${name} is chosen`, async () => {
    await window.command('authgraph.selectSample');
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
