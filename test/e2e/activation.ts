/** How long an extension took to be activated, as VS Code itself measured it. */
import type { Stage } from './stage.ts';

export interface Activation {
  readonly milliseconds: number;
  /** What VS Code says of the place: an address, or `web worker`. */
  readonly place: string;
}

export const activationOf = async ({ page, window }: Stage, name: string): Promise<Activation> => {
  await window.builtIn('Developer: Show Running Extensions');
  const row = page
    .locator('.runtime-extensions-editor .monaco-list-row', { hasText: name })
    .first();
  await row.filter({ hasText: 'Activation' }).waitFor();
  const text = await row.innerText();
  const [, milliseconds] = /Activation: (\d+)\s*ms/.exec(text) ?? [];
  await page.keyboard.press('Escape');
  await row.waitFor({ state: 'hidden' });
  const place = text.includes('web worker') ? 'web worker' : 'server';
  return { milliseconds: Number(milliseconds), place };
};
