/** Steps for authoring: errors, fixes, completion, hovers and values. */
import { activationsOf } from '../activation.ts';
import { chooseSample } from '../choose-sample.ts';
import { configuration, exampleFolder, places } from '../example.ts';
import { expectText } from '../expect.ts';
import { openStage, type Play } from '../stage.ts';

export const authoring = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'authoring');
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
  await step('shows the verdict above each authenticator', async () => {
    await goTo(places.firstIssuer);
    await editor.lens(/people:ada/).waitFor();
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
};
