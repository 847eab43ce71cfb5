/** The parts of the window around the editors: palette, pickers, views, status bar, messages. */
import type { Locator, Page } from './browser.ts';
import { until } from './until.ts';

export interface Workbench {
  ready(): Promise<void>;
  /** By id, through the palette and with its title, as a person does. */
  command(id: string): Promise<void>;
  /** The palette does not offer it, or says why it is not done. */
  refuses(title: string): Promise<void>;
  /** Drags its edge. */
  widenSideBar(width: number): Promise<void>;
  /** By a title of VS Code itself. */
  builtIn(title: string): Promise<void>;
  /** Opens a file of the folder; the cursor goes to a line and a column when they are given. */
  open(file: string, line?: number, column?: number): Promise<void>;
  /** Rows of the open picker. */
  readonly choices: Locator;
  /** Filters by the text, and takes the row that has it. */
  choose(text: string): Promise<void>;
  /** Types into the input that is open, and accepts. */
  answer(text: string): Promise<void>;
  /** Waits for the dialog of this title, and takes what it proposes. */
  acceptFile(title: string): Promise<void>;
  readonly input: Locator;
  status(text: string | RegExp): Locator;
  message(text: string | RegExp): Locator;
  dialog(text: string | RegExp): Locator;
  /** Those that are shown go away. */
  closeMessages(): Promise<void>;
  tab(name: string | RegExp): Locator;
  /** A view by its title; opens its part of the side bar where it is closed. */
  view(title: string): Promise<Locator>;
  row(text: string | RegExp): Locator;
  problems(): Promise<readonly string[]>;
}

/** A place in the status bar where nothing is. */
const aside = [700, 898] as const;

const whole = (text: string): RegExp =>
  new RegExp(`^\\s*${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`);

/** For one try of several. */
const shortTimeout = { timeout: 5000 } as const;

export const workbench = (page: Page, titles: ReadonlyMap<string, string>): Workbench => {
  const picker = page.locator('.quick-input-widget');
  const input = picker.locator('input').first();
  const choices = picker.locator('.monaco-list-row');
  const run = async (title: string): Promise<void> => {
    await until(`the palette offers "${title}"`, async () => {
      // An open palette keeps the commands that there were when it was opened.
      if (await input.isVisible()) await page.keyboard.press('Escape');
      await page.keyboard.press('F1');
      await input.waitFor(shortTimeout);
      await input.fill(`>${title}`, shortTimeout);
      const rows = choices.filter({ hasText: title });
      await rows.first().waitFor(shortTimeout);
      // What was run last stands first, and its title may begin with this one.
      const named = rows.filter({ has: page.locator('.label-name', { hasText: whole(title) }) });
      await ((await named.count()) === 0 ? rows : named).first().click(shortTimeout);
      // What lies under the palette would explain itself.
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
    refuses: async (title) => {
      await page.keyboard.press('F1');
      await input.waitFor();
      await input.fill(`>${title}`);
      await choices.first().waitFor();
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
        // Until the filter applies, another file is the first row.
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
        // Long lists show a row only when they are filtered; a picker that closes takes no text.
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
