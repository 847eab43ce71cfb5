/** Reads how long VS Code took to activate an extension. */
import { type Stage, windowSize } from './stage.ts';

export interface Activation {
  readonly milliseconds: number;
  /** The extension host: `server` or `web worker`. */
  readonly place: string;
}

/** Returns the activations by display name. */
export const activationsOf = async (
  { page, window }: Stage,
  names: readonly string[],
): Promise<ReadonlyMap<string, Activation>> => {
  const { width, height } = windowSize;
  // VS Code renders only rows that are visible.
  await page.setViewportSize({ width, height: 4 * height });
  await window.builtIn('Developer: Show Running Extensions');
  const rows = page.locator('.runtime-extensions-editor .monaco-list-row');
  const found = new Map<string, Activation>();
  for (const name of names) {
    const row = rows.filter({ hasText: name }).first();
    await row.filter({ hasText: 'Activation' }).waitFor();
    const text = await row.innerText();
    const [, milliseconds] = /Activation: (\d+)\s*ms/.exec(text) ?? [];
    const place = text.includes('web worker') ? 'web worker' : 'server';
    found.set(name, { milliseconds: Number(milliseconds), place });
  }
  await page.keyboard.press('Escape');
  await rows.first().waitFor({ state: 'hidden' });
  await page.setViewportSize(windowSize);
  return found;
};
