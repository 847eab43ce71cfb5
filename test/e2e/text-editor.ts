/**
 * The contents of a text editor and its overlays: squiggles, hints, lenses, hovers, suggestions,
 * fixes.
 */
import type { Locator, Page } from './browser.ts';
import { until } from './until.ts';
import type { Workbench } from './workbench.ts';

export interface TextEditor {
  line(text: string | RegExp): Locator;
  readonly errors: Locator;
  readonly warnings: Locator;
  /** Returns the line with the text of an inlay hint, which VS Code renders as part of the line. */
  hint(text: string | RegExp): Locator;
  lens(text: string | RegExp): Locator;
  /** Goes to a place, selects it and types. */
  replace(file: string, place: Place, text: string): Promise<void>;
  /** Opens the hover at the cursor until it shows the text. */
  hover(shown: string | RegExp): Promise<Locator>;
  readonly suggestions: Locator;
  suggest(shown: string | RegExp): Promise<void>;
  /** Rows of the open quick fix menu. */
  readonly fixes: Locator;
  /** Opens the quick fix menu at the cursor until it offers the fix with this title. */
  offerFix(title: string | RegExp): Promise<Locator>;
  /** Opens the quick fix menu at the cursor and applies the fix with this title. */
  fix(title: string | RegExp): Promise<void>;
  save(): Promise<void>;
  /** Reverts the file to its saved text. */
  revert(): Promise<void>;
}

/** A one-based position and the number of characters that are replaced. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

export const textEditor = (page: Page, window: Workbench): TextEditor => {
  const area = page.locator('.editor-instance .monaco-editor');
  const errors = area.locator('.squiggly-error');
  const lens = (text: string | RegExp): Locator =>
    page.locator('.codelens-decoration', { hasText: text }).first();
  const menu = page.locator('.action-widget').first();
  const fixes = menu.locator('.monaco-list-row');
  const suggestions = page.locator('.suggest-widget.visible');
  const offerFix = async (title: string | RegExp): Promise<Locator> => {
    const choice = fixes.filter({ hasText: title }).first();
    await until(`the fix ${title} is offered`, async () => {
      // An open menu does not show a fix that is found later.
      if (await menu.isVisible()) await page.keyboard.press('Escape');
      await page.keyboard.press('Control+.');
      await choice.waitFor({ timeout: 3000 });
      return true;
    });
    return choice;
  };
  return {
    line: (text) => area.locator('.view-line', { hasText: text }).first(),
    errors,
    warnings: area.locator('.squiggly-warning'),
    hint: (text) => area.locator('.view-line', { hasText: text }).first(),
    lens,
    replace: async (file, { line, column, length }, text) => {
      await window.open(file, line, column);
      for (let unit = 0; unit < length; unit += 1) await page.keyboard.press('Shift+ArrowRight');
      if (text === '') await page.keyboard.press('Delete');
      else await page.keyboard.insertText(text);
    },
    hover: async (shown) => {
      const box = page.locator('.monaco-editor .monaco-hover', { hasText: shown }).first();
      await until(`the hover shows ${shown}`, async () => {
        await page.keyboard.press('Escape');
        await page.keyboard.press('Control+k');
        await page.keyboard.press('Control+i');
        await box.waitFor({ timeout: 3000 });
        return true;
      });
      return box;
    },
    suggestions,
    suggest: async (shown) => {
      const row = suggestions.locator('.monaco-list-row', { hasText: shown }).first();
      await until(`${shown} is suggested`, async () => {
        if (!(await row.isVisible())) {
          await page.keyboard.press('Escape');
          await page.keyboard.press('Control+Space');
        }
        await row.waitFor({ timeout: 3000 });
        return true;
      });
    },
    fixes,
    offerFix,
    fix: async (title) => {
      const choice = await offerFix(title);
      await choice.click();
      await menu.waitFor({ state: 'hidden' });
    },
    save: async () => {
      await page.keyboard.press('Control+s');
      await page.locator('.editor-group-container.active .tab.active.dirty').waitFor({
        state: 'detached',
      });
    },
    revert: async () => {
      await window.builtIn('File: Revert File');
      await page.locator('.editor-group-container.active .tab.active.dirty').waitFor({
        state: 'detached',
      });
    },
  };
};
