/** Steps for tests: the Test Explorer, results, diffs, coverage, run on save, Expect This Result. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configuration, exampleFolder, places } from '../example.ts';
import { expectText } from '../expect.ts';
import { openStage, type Play } from '../stage.ts';
import { until } from '../until.ts';

const testFile = 'people.authtest.yaml';
const suite = `# Who people are.
configuration: ../authentication.yaml
tests:
- name: ada is a developer
  sample: ada
  expect: {user: "people:ada"}
- name: mallory is rejected
  sample: mallory
  expect: {user: "people:mallory"}
- name: a forged token
  sample: ada
  sign: {key: unknown}
  expect: {rejected: AG5006}
`;

export const testing = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'testing');
  writeFileSync(join(folder, 'people', testFile), suite);
  writeFileSync(join(folder, 'machines', 'broken.authtest.yaml'), 'tests: 7\n');
  const stage = await openStage(play, { list: 'testing', folder });
  const { page, step, window, editor } = stage;
  /** Returns a row of the Test Explorer, once it has the icon of a state. */
  const row = (name: string, state?: 'passed' | 'failed' | 'skipped' | 'error') => {
    const rows = page.locator('.part.sidebar .monaco-list-row', { hasText: name });
    const icon = page.locator(`.codicon-testing-${state ?? ''}-icon`);
    return (state === undefined ? rows : rows.filter({ has: icon })).first();
  };
  const activeLines = async (): Promise<string> =>
    (await page.locator('.editor-group-container.active .view-line').allInnerTexts())
      .join('\n')
      .replaceAll('\u00a0', ' ');

  await step('lists the test files of the folder before any file is opened', async () => {
    await window.builtIn('Testing: Focus on Test Explorer View');
    await row(testFile).waitFor();
    await row('broken.authtest.yaml').waitFor();
  });
  await step('lists the cases of a file', async () => {
    await row(testFile).click();
    await until('the cases are shown', async () => {
      await page.keyboard.press('ArrowRight');
      await row('ada is a developer').waitFor({ timeout: 3000 });
      return true;
    });
    await row('a forged token').waitFor();
  });
  await step('runs all tests', async () => {
    await window.builtIn('Test: Run All Tests');
    await row('ada is a developer', 'passed').waitFor();
    await row('mallory is rejected', 'failed').waitFor();
    await row('a forged token', 'skipped').waitFor();
    await row('broken.authtest.yaml', 'error').waitFor();
  });
  await step('shows the difference of expected and actual at the case', async () => {
    await window.open(testFile, 7, 1);
    await window.builtIn('Test: Peek Output');
    const peek = page.locator('.test-output-peek');
    await peek
      .locator('.monaco-diff-editor', { hasText: 'accepted as "people:mallory"' })
      .waitFor();
    await peek.locator('.monaco-diff-editor', { hasText: 'rejected with' }).waitFor();
    await page.keyboard.press('Escape');
  });
  await step('marks the rule that rejects in the configuration', async () => {
    await window.open(configuration);
    const message = page.locator('.test-error-content-widget', { hasText: 'mallory is rejected' });
    await message.filter({ hasText: 'AG5019' }).first().waitFor();
  });
  await step('shows coverage in the gutter of the configuration', async () => {
    await window.builtIn('Test: Run All Tests with Coverage');
    await window.open(configuration);
    await page.locator('.coverage-deco-gutter.coverage-deco-hit').first().waitFor();
    await page.locator('.coverage-deco-gutter.coverage-deco-miss').first().waitFor();
  });
  await step('keeps the cases of a file while it cannot be read', async () => {
    await window.builtIn('Testing: Focus on Test Explorer View');
    await window.open(testFile, 3, 1);
    await page.keyboard.insertText('- x: [');
    await editor.errors.first().waitFor();
    await row('ada is a developer').waitFor();
    await editor.revert();
    await editor.errors.first().waitFor({ state: 'detached' });
    await row('ada is a developer').waitFor();
  });
  await step('runs tests when the configuration is saved', async () => {
    await window.builtIn('Test: Start Continuous Run');
    await editor.replace(configuration, places.emailDomain, 'example.org');
    await editor.save();
    await row('mallory is rejected', 'passed').waitFor();
    await row('ada is a developer', 'failed').waitFor();
    await window.builtIn('Test: Stop Continuous Run');
  });
  await step('adds a test for a sample, which undo removes', async () => {
    await window.open(testFile);
    const before = readFileSync(join(folder, 'people', testFile), 'utf8');
    await window.builtIn('View: Show AuthGraph');
    await window.open(configuration);
    await window.row('grace').click({ button: 'right' });
    const item = page.locator('.context-view .action-label', { hasText: 'Expect This Result' });
    await item.waitFor();
    // VS Code ignores a click right after the menu opened.
    await until('the menu closes', async () => {
      if (!(await item.isVisible())) return true;
      await item.click();
      return false;
    });
    await window.tab(testFile).waitFor();
    await editor.line('sample: grace').waitFor();
    expectText(await activeLines(), 'forged token');
    if (readFileSync(join(folder, 'people', testFile), 'utf8') !== before)
      throw new Error('the file was saved');
    await page.keyboard.press('Control+z');
    await editor.line('sample: grace').waitFor({ state: 'detached' });
  });
  await step('writes a new test file next to a sample', async () => {
    await window.command('authgraph.expectResult');
    await window.choose('build');
    await window.tab('authentication.authtest.yaml').waitFor();
    await editor.line('configuration: ../authentication.yaml').waitFor();
    await editor.line('sample: build').waitFor();
    await editor.save();
    const written = join(folder, 'machines', 'authentication.authtest.yaml');
    if (!existsSync(written)) throw new Error('there is no file');
    await window.builtIn('Testing: Focus on Test Explorer View');
    await row('authentication.authtest.yaml').waitFor();
    await window.builtIn('Test: Run Tests in Current File');
    await row('authentication.authtest.yaml', 'passed').waitFor();
  });
};
