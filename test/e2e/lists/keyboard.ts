/** Steps with the keyboard only; none clicks or hovers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configuration, exampleFolder } from '../example.ts';
import { openStage, type Play } from '../stage.ts';
import { until } from '../until.ts';

export const keyboard = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'keyboard');
  const stage = await openStage(play, { list: 'keyboard', folder });
  const { page, step, window, editor, webviews } = stage;
  const { press, type } = {
    press: async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    },
    type: (text: string): Promise<void> => page.keyboard.type(text),
  };
  const isAt = async (selector: string): Promise<boolean> => {
    for (const frame of await webviews.all()) {
      const code = `document.activeElement?.matches(${JSON.stringify(selector)}) === true`;
      if ((await frame.evaluate(code)) === true) return true;
    }
    return false;
  };
  const backAt = (selector: string): Promise<void> =>
    until('the focus is where it was', () => isAt(selector));
  /** Presses a key until an element of a page has the focus. */
  const walkTo = async (key: string, selector: string): Promise<void> =>
    until(`${key} reaches ${selector}`, async () => {
      if (await isAt(selector)) return true;
      await page.keyboard.press(key);
      return false;
    });
  const choose = async (sample: string): Promise<void> => {
    await press('Control+k', 'Shift+S');
    await window.choices.filter({ hasText: sample }).first().waitFor();
    await type(sample);
    await press('Enter');
    await window.status(sample).waitFor();
  };
  const openGraph = async (): Promise<void> => {
    await press('F1');
    await window.input.waitFor();
    await type('AuthGraph: Show Authenticator Graph');
    await press('Enter');
  };

  await step('opens the configuration', async () => {
    await press('Control+p');
    await window.input.waitFor();
    await type(configuration);
    await window.choices.filter({ hasText: configuration }).first().waitFor();
    await press('Enter');
    await editor.line('AuthenticationConfiguration').waitFor();
    await window.status(/no sample|◉/).waitFor();
  });
  await step('selects a sample', async () => {
    await choose('ada');
  });
  await step('moves the focus to the whoami page', async () => {
    await press('Control+k', 'Shift+W');
    await webviews.find('.card.accepted dd', 'people:ada');
    await webviews.find('button.sample:focus-visible', 'ada');
  });
  await step('goes from a step to its line', async () => {
    await walkTo('Tab', 'summary[data-key="steps.0.summary"]');
    await press('Enter');
    await walkTo('Tab', 'button.step');
    await press('Enter');
    await page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor();
  });
  await step('navigates the graph with arrow keys', async () => {
    await openGraph();
    await webviews.find('.picture [data-node].lit');
    await walkTo('Tab', '[data-node]');
    await press('ArrowDown');
    await webviews.find('#details h2');
  });
  await step('goes from a node to its line', async () => {
    await press('Enter');
    await page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor();
  });
  await step('keeps the focus in the second of two pictures when they are redrawn', async () => {
    const text = readFileSync(join(folder, configuration), 'utf8');
    // A file that starts with a configuration holds only that one; otherwise each document counts.
    const other = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: other\n';
    writeFileSync(join(folder, 'two.yaml'), [other, text, text].join('---\n'));
    await window.open('two.yaml');
    const second = '.picture:nth-of-type(2) [data-node]';
    // The graph keeps its file until it is shown for another one.
    await openGraph();
    await webviews.find(second);
    await walkTo('Tab', '[data-node]');
    await press('End');
    await backAt(second);
    await choose('grace');
    await webviews.find('.toolbar:has([data-key="zoom.fit"]) .sample', 'grace');
    await backAt(second);
  });
  await step('keeps the focus while an error leaves the picture of before the edit', async () => {
    const two = join(folder, 'two.yaml');
    const text = readFileSync(two, 'utf8');
    const node = '.picture:nth-of-type(2) [data-node]';
    writeFileSync(two, 'kind: [');
    await webviews.find('.stale .picture');
    await backAt(node);
    writeFileSync(two, text);
    await webviews.find('.current .picture');
    await backAt(node);
  });
};
