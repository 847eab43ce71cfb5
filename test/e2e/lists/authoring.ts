/** Steps for authoring: errors, fixes, completion, hovers and values. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { activationsOf } from '../activation.ts';
import { chooseSample } from '../choose-sample.ts';
import { configuration, exampleFolder, places } from '../example.ts';
import { expectText } from '../expect.ts';
import { openStage, type Play } from '../stage.ts';

export const authoring = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'authoring');
  writeFileSync(join(folder, 'typed.yaml'), '');
  const stage = await openStage(play, { list: 'authoring', folder });
  const { page, step, window, editor } = stage;
  const goTo = ({ line, column }: { readonly line: number; readonly column: number }) =>
    window.open(configuration, line, column);

  await step('opens a configuration', async () => {
    await window.open(configuration);
    await editor.line('AuthenticationConfiguration').waitFor();
    await window.status(/no sample|◉/).waitFor();
  });
  await step('runs on the expected extension host', async () => {
    const activations = await activationsOf(stage, ['AuthGraph', ...play.compared]);
    for (const [name, { milliseconds }] of activations) {
      play.note(`activation of ${name}: ${milliseconds} ms`);
    }
    const place = activations.get('AuthGraph')?.place;
    const wanted = play.host === 'web' ? 'web worker' : 'server';
    if (place !== wanted) throw new Error(`it runs in the ${place}`);
  });
  await step('marks a misspelled field while it is typed', async () => {
    await editor.replace(configuration, places.groups, 'gruops');
    await editor.errors.first().waitFor();
  });
  await step('explains the error in a hover', async () => {
    await goTo(places.groups);
    await editor.hover('gruops');
  });
  await step('lists it in Problems', async () => {
    await page.keyboard.press('Escape');
    expectText((await window.problems()).join('\n'), 'gruops');
  });
  await step('fixes it with the quick fix', async () => {
    await goTo(places.groups);
    await editor.fix(/groups/);
    await editor.errors.first().waitFor({ state: 'detached' });
  });
  await step('shows the values of the current sample next to the mappings', async () => {
    await window.builtIn('View: Hide Panel');
    await chooseSample(stage, 'ada');
    await editor.hint('people:ada').waitFor();
  });
  await step('shows the verdict above each authenticator, and the graph once', async () => {
    await goTo(places.firstIssuer);
    await editor.lens(/people:ada/).waitFor();
    await editor.lens('Show graph').waitFor();
    const titles = await page.locator('.codelens-decoration').allInnerTexts();
    const links = titles.join(' ').match(/Show graph|passes for all/g);
    if (links?.length !== 1) throw new Error(titles.join(' | '));
  });
  await step('shows nothing next to a rule that passes', async () => {
    const rule = await editor.line('endsWith').innerText();
    if (/→|✓/.test(rule)) throw new Error(rule);
  });
  await step('shows the graph button on configurations only', async () => {
    const button = page.locator(
      '.editor-group-container.active .editor-actions [aria-label^="Show Authenticator Graph"]',
    );
    await button.first().waitFor();
    await window.open('ada.claims.json');
    await button.first().waitFor({ state: 'detached' });
    await window.open(configuration);
  });
  await step('completes a field', async () => {
    await goTo(places.afterUrl);
    await page.keyboard.press('Enter');
    await page.keyboard.type('disc');
    await editor.suggest('discoveryURL');
  });
  await step('completes a claim in an expression, with the value of the sample', async () => {
    await editor.revert();
    await editor.replace(configuration, places.usernameClaim, 'pref');
    await editor.suggest('preferred_username');
    await page.keyboard.press('Enter');
    await editor.line('claims.preferred_username').waitFor();
    await editor.hint('people:ada').waitFor();
  });
  await step('shows type and value of a part of an expression', async () => {
    await goTo(places.usernameClaim);
    await editor.hover('"ada"');
  });
  await step('shows signature help', async () => {
    await goTo(places.endsWithArgument);
    await page.keyboard.press('Control+Shift+Space');
    await page.locator('.parameter-hints-widget', { hasText: 'endsWith' }).first().waitFor();
  });
  await step('reports a type error while it is typed', async () => {
    await page.keyboard.press('Escape');
    await editor.replace(configuration, places.endsWith, 'size');
    await editor.errors.first().waitFor();
  });
  await step('goes from a claim to the sample', async () => {
    await editor.revert();
    await editor.errors.first().waitFor({ state: 'detached' });
    await goTo(places.usernameClaim);
    await page.keyboard.press('F12');
    await page
      .locator('.peekview-widget, .tab.active[data-resource-name$=".claims.json"]')
      .first()
      .waitFor();
  });
  await step('renames a variable of a comprehension', async () => {
    await page.keyboard.press('Escape');
    await goTo(places.roleVariable);
    await page.keyboard.press('F2');
    const box = page.locator('.rename-box input').first();
    await box.waitFor();
    await box.fill('each');
    await page.keyboard.press('Enter');
    await editor.line('map(each,').waitFor();
  });
  await step('shows the outline', async () => {
    await editor.revert();
    await page.keyboard.press('Control+Shift+o');
    await window.choices.filter({ hasText: 'claimMappings' }).first().waitFor();
  });
  await step('formats an expression', async () => {
    await page.keyboard.press('Escape');
    await editor.replace(configuration, places.plus, '+');
    await editor.line("'people:'+claims").waitFor();
    await editor.fix('Format expression');
    await editor.line("'people:' + claims").waitFor();
  });
  await step('offers a group, not the text true, for a condition in groups', async () => {
    await editor.revert();
    await editor.replace(
      configuration,
      places.pipelineGroups,
      "claims.repository_owner == 'admin'",
    );
    await editor.warnings.first().waitFor();
    const fix = await editor.offerFix("? ['admin'] : []");
    expectText((await editor.fixes.allInnerTexts()).join(' | '), /^(?!.*string\()/s);
    await fix.click();
    await editor.line("== 'admin' ? ['admin'] : []").waitFor();
  });
  await step('starts a new line behind each complete value', async () => {
    await editor.revert();
    await window.open('typed.yaml');
    for (const [index, line] of header.entries()) {
      if (index > 0) await page.keyboard.press('Enter');
      await page.keyboard.type(line, { delay: 30 });
      // A list that is open after a complete value would use up the Enter key. One that was requested
      // before the last character may still open for a moment.
      await page.waitForTimeout(500);
      await editor.suggestions.waitFor({ state: 'hidden' });
    }
    for (const line of header) await editor.line(line).waitFor();
    const lines = await page.locator('.editor-group-container.active .view-line').allInnerTexts();
    const typed = lines.map((line) => line.replaceAll('\u00a0', ' ').trimEnd());
    if (typed.join('\n') !== header.join('\n')) throw new Error(typed.join(' | '));
  });
};

const header = [
  'apiVersion: apiserver.config.k8s.io/v1',
  'kind: AuthenticationConfiguration',
  'jwt:',
];
