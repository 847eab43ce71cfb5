/** Reads what a command copies to the clipboard. */
import type { Page } from './browser.ts';
import { until } from './until.ts';

/** Empties the clipboard first, so that the text found there is from this action. */
export const copiedBy = async (
  page: Page,
  wanted: RegExp,
  action: () => Promise<void>,
): Promise<string> => {
  await page.evaluate(`navigator.clipboard.writeText('')`);
  await action();
  let text = '';
  await until(`the clipboard has ${wanted}`, async () => {
    text = String(await page.evaluate('navigator.clipboard.readText()'));
    return wanted.test(text);
  });
  return text;
};
