/**
 * Steps for all configurations of a folder, open or not: their problems, their symbols, and the
 * values of a selected expression for all samples.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseSample } from '../choose-sample.ts';
import { configuration, exampleFolder, places } from '../example.ts';
import { expectText } from '../expect.ts';
import { openStage, type Play, type Stage } from '../stage.ts';
import { until } from '../until.ts';

export const workspace = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'workspace');
  const text = readFileSync(join(folder, configuration), 'utf8');
  const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  mkdirSync(join(folder, '.vscode'));
  mkdirSync(join(folder, 'deep'));
  mkdirSync(join(folder, 'removed/deep'), { recursive: true });
  const setScope = (scope: string): void =>
    write('.vscode/settings.json', JSON.stringify({ 'authgraph.diagnostics.scope': scope }));
  setScope('workspace');
  const invalid = text.replace('groups:', 'gruops:');
  write('broken.yaml', invalid);
  write('deep/other.yaml', text.replaceAll('login.example.com', 'sso.example.com'));
  const stage = await openStage(play, { list: 'workspace', folder });
  await withProblems(stage, { folder, text, invalid, write, setScope });
  await withSymbols(stage);
  await withSelection(stage);
};

const withProblems = async (
  { page, step, window, editor }: Stage,
  {
    folder,
    text,
    invalid,
    write,
    setScope,
  }: {
    readonly folder: string;
    readonly text: string;
    readonly invalid: string;
    readonly write: (name: string, content: string) => void;
    readonly setScope: (scope: string) => void;
  },
): Promise<void> => {
  const listed = (name: string, isListed: boolean): Promise<void> =>
    until(
      `${name} is${isListed ? '' : ' not'} in Problems`,
      async () => isListed === (await window.problems()).join('\n').includes(name),
    );
  await step('lists the errors of a configuration that is not open', async () => {
    await window.open('ada.claims.json');
    await listed('gruops', true);
    expectText((await window.problems()).join('\n'), 'broken.yaml');
  });
  await step('goes to the error', async () => {
    await page.locator('.markers-panel .monaco-list-row', { hasText: 'gruops' }).first().dblclick();
    await window.tab('broken.yaml').waitFor();
    await window.status(`Ln ${places.groups.line}`).waitFor();
    await editor.errors.first().waitFor();
  });
  await step('follows the text in the editor while the file is open', async () => {
    await editor.replace('broken.yaml', { ...places.groups, length: 6 }, 'groups');
    await listed('gruops', false);
  });
  await step('lists the errors of the file again after the editor is closed', async () => {
    await window.open('broken.yaml');
    await editor.revert();
    await window.builtIn('View: Close All Editors');
    await listed('gruops', true);
  });
  await step('follows files that change on disk', async () => {
    write('broken.yaml', text);
    await listed('gruops', false);
    write('deep/new.yaml', text.replace('groups:', 'gorups:'));
    await listed('gorups', true);
  });
  await step('lists nothing of a deleted file', async () => {
    rmSync(join(folder, 'deep/new.yaml'));
    await listed('gorups', false);
  });
  await step('lists nothing of a deleted folder', async () => {
    write('removed/deep/new.yaml', text.replace('groups:', 'gorups:'));
    await listed('gorups', true);
    rmSync(join(folder, 'removed'), { recursive: true });
    await listed('gorups', false);
  });
  await step('lists only open files after the setting has changed', async () => {
    write('broken.yaml', invalid);
    await listed('gruops', true);
    setScope('openFiles');
    await listed('gruops', false);
    await window.open('broken.yaml');
    await listed('gruops', true);
    await window.builtIn('View: Close All Editors');
    await listed('gruops', false);
    await window.builtIn('View: Hide Panel');
  });
};

const withSymbols = async ({ page, step, window }: Stage): Promise<void> => {
  await step('finds an authenticator of a configuration that is not open', async () => {
    await window.open(configuration);
    await page.keyboard.press('Control+t');
    await window.input.waitFor();
    await page.keyboard.type('sso.example', { delay: 30 });
    const row = window.choices.filter({ hasText: 'sso.example.com' }).first();
    await row.waitFor();
    await page.keyboard.press('Enter');
    await window.tab('other.yaml').waitFor();
  });
};

const withSelection = async (stage: Stage): Promise<void> => {
  const { page, step, window, editor } = stage;
  const evaluates = async (...rows: readonly RegExp[]): Promise<void> => {
    await window.command('authgraph.evaluateSelection');
    await window.tab('Evaluation.md').waitFor();
    for (const row of rows) await editor.line(row).waitFor();
  };
  const { line, column, length } = places.usernameClaim;
  await step('shows the value of a selection for all samples of the authenticator', async () => {
    await window.open(configuration);
    await chooseSample(stage, 'grace');
    await window.open(configuration, line, column - 'claims.'.length);
    for (let unit = 0; unit < length + 'claims.'.length; unit += 1) {
      await page.keyboard.press('Shift+ArrowRight');
    }
    await evaluates(/grace.*current.*"grace".*string/s, /ada.*"ada"/s, /mallory.*"mallory"/s);
  });
  await step('shows the value of the expression at the cursor', async () => {
    await window.open(configuration, line, column);
    await evaluates(/grace.*current.*"people:grace"/s, /mallory.*"people:mallory"/s);
  });
  await step('reports that there is no expression at the cursor', async () => {
    await window.open(configuration, places.audience.line, places.audience.column);
    await window.command('authgraph.evaluateSelection');
    await window.message('there is no CEL expression here').waitFor();
  });
};
