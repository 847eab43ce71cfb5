/** The parts of the window around the editors: palette, pickers, views, status bar, messages. */
import type { Locator, Page } from './browser.ts';
import { until } from './until.ts';

export interface Workbench {
  ready(): Promise<void>;
  /** Runs a command by ID, through the palette and its title. */
  command(id: string): Promise<void>;
  /** Returns whether the palette offers a command. */
  offers(title: string): Promise<boolean>;
  /** Checks that the palette does not offer a command, or that running it reports missing trust. */
  expectUnavailable(title: string): Promise<void>;
  /** Drags the edge of the side bar. */
  widenSideBar(width: number): Promise<void>;
  /** Runs one of VS Code's own commands by its title. */
  builtIn(title: string): Promise<void>;
  /** Opens a file of the folder; the cursor moves to a line and column if they are given. */
  open(file: string, line?: number, column?: number): Promise<void>;
  /** Rows of the open picker. */
  readonly choices: Locator;
  /** Filters the picker by the text and accepts the row that contains it. */
  choose(text: string): Promise<void>;
  /** Types into the open input and accepts. */
  answer(text: string): Promise<void>;
  /** Waits for the dialog with this title and accepts its proposal. */
  acceptFile(title: string): Promise<void>;
  readonly input: Locator;
  status(text: string | RegExp): Locator;
  message(text: string | RegExp): Locator;
  dialog(text: string | RegExp): Locator;
  /** Clears the visible messages. */
  closeMessages(): Promise<void>;
  tab(name: string | RegExp): Locator;
  /** Returns a view by its title, and expands it if it is collapsed. */
  view(title: string): Promise<Locator>;
  row(text: string | RegExp): Locator;
  problems(): Promise<readonly string[]>;
}

/** An empty place in the status bar. */
const aside = [700, 898] as const;

const whole = (text: string): RegExp => new RegExp(`^\\s*${escapeRegExp(text)}\\s*$`);

/** Escapes a string for a regular expression. */
const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Timeout of one attempt. */
const shortTimeout = { timeout: 5000 } as const;

export const workbench = (page: Page, titles: ReadonlyMap<string, string>): Workbench => {
  const picker = page.locator('.quick-input-widget');
  const input = picker.locator('input').first();
  const choices = picker.locator('.monaco-list-row');
  /** The first row of the palette once it has filtered: the command, or a row that says there is none. */
  const filtered = (title: string): Locator =>
    choices.first().filter({
      hasText: new RegExp(`${escapeRegExp(title)}|No matching commands|similar commands`, 'i'),
    });
  const run = async (title: string): Promise<void> => {
    await until(`the palette offers "${title}"`, async () => {
      // An open palette does not show commands that were enabled later.
      if (await input.isVisible()) await page.keyboard.press('Escape');
      await page.keyboard.press('F1');
      await input.waitFor(shortTimeout);
      await input.fill(`>${title}`, shortTimeout);
      const rows = choices.filter({ hasText: title });
      await rows.first().waitFor(shortTimeout);
      // The most recent command is first, and its title may start with this one.
      const named = rows.filter({ has: page.locator('.label-name', { hasText: whole(title) }) });
      await ((await named.count()) === 0 ? rows : named).first().click(shortTimeout);
      // An element under the pointer would show a tooltip.
      await page.mouse.move(...aside);
      return true;
    });
  };
  const focused = page.locator('.editor-group-container.active .monaco-editor.focused').first();
  const found = (selector: string, text: string | RegExp): Locator =>
    page.locator(selector, { hasText: text }).first();
  const status = (text: string | RegExp): Locator => found('.part.statusbar .statusbar-item', text);
  return {
    ready: () => page.locator('.monaco-workbench .part.activitybar').waitFor(),
    command: (id) => run(titles.get(id) ?? unknownCommand(id)),
    offers: async (title) => {
      if (await input.isVisible()) await page.keyboard.press('Escape');
      await page.keyboard.press('F1');
      await input.waitFor(shortTimeout);
      await input.fill(`>${title}`, shortTimeout);
      // Until the filter applies, another command may be the first row.
      await filtered(title).waitFor(shortTimeout);
      const count = await choices.filter({ hasText: title }).count();
      await page.keyboard.press('Escape');
      return count > 0;
    },
    expectUnavailable: async (title) => {
      await page.keyboard.press('F1');
      await input.waitFor();
      await input.fill(`>${title}`);
      await filtered(title).waitFor();
      if ((await choices.filter({ hasText: title }).count()) === 0) {
        await page.keyboard.press('Escape');
        return;
      }
      await choices.filter({ hasText: title }).first().click();
      await found('.notification-list-item, .monaco-dialog-box', /trust/i).waitFor();
    },
    widenSideBar: async (width) => {
      const box = await page.locator('.part.sidebar').boundingBox();
      if (box === null) throw new Error('the side bar is closed');
      const { x, y, height } = box;
      await page.mouse.move(x + box.width, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width, y + height / 2, { steps: 5 });
      await page.mouse.up();
    },
    builtIn: run,
    open: async (file, line, column = 1) => {
      await until(`${file} can be opened`, async () => {
        await page.keyboard.press('Escape');
        await page.keyboard.press('Control+p');
        await input.waitFor(shortTimeout);
        await input.fill(line === undefined ? file : `${file}:${line}:${column}`, shortTimeout);
        // Until the filter applies, another file may be the first row.
        await choices.first().filter({ hasText: file }).waitFor(shortTimeout);
        await page.keyboard.press('Enter');
        await picker.waitFor({ state: 'hidden', ...shortTimeout });
        await tab(page, file).waitFor(shortTimeout);
        await focused.waitFor(shortTimeout);
        if (line !== undefined) await status(`Ln ${line}, Col ${column}`).waitFor(shortTimeout);
        return true;
      });
    },
    choices,
    choose: (text) =>
      until(`${text} can be chosen`, async () => {
        // Long lists render a row only when filtered, and a closing picker accepts no text.
        await input.fill(text, shortTimeout);
        const row = choices.filter({ hasText: text }).first();
        await row.waitFor({ timeout: 2000 });
        await row.click({ timeout: 2000 });
        return true;
      }),
    answer: async (text) => {
      await input.waitFor();
      await input.fill(text);
      await page.keyboard.press('Enter');
    },
    acceptFile: async (title) => {
      const dialog = page.locator('.quick-input-widget', { hasText: title }).first();
      await dialog.waitFor();
      await until(`the dialog ${title} is done`, async () => {
        if (!(await dialog.isVisible())) return true;
        await page.keyboard.press('Enter');
        await dialog.waitFor({ state: 'hidden', timeout: 2000 });
        return true;
      });
    },
    input,
    status,
    message: (text) => found('.notification-list-item', text),
    dialog: (text) => found('.monaco-dialog-box', text),
    closeMessages: () => run('Notifications: Clear All Notifications'),
    tab: (name) => tab(page, name),
    view: async (title) => {
      const header = found('.pane-header', title);
      await header.waitFor();
      if ((await header.getAttribute('aria-expanded')) === 'false') await header.click();
      return found('.pane', title);
    },
    row: (text) => found('.part.sidebar .monaco-list-row', text),
    problems: async () => {
      await run('Problems: Focus on Problems View');
      const rows = page.locator('.markers-panel .monaco-list-row');
      await page.locator('.markers-panel').waitFor();
      return rows.allInnerTexts();
    },
  };
};

const tab = (page: Page, name: string | RegExp): Locator =>
  page.locator('.editor-group-container .tab.active', { hasText: name }).first();

const unknownCommand = (id: string): never => {
  throw new Error(`the manifest has no command ${id}`);
};
