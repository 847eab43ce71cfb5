/** Steps that compare the accessibility tree of each view with the recorded one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseSample } from '../choose-sample.ts';
import { configuration, exampleFolder } from '../example.ts';
import { openStage, type Play } from '../stage.ts';
import { newToken } from '../token.ts';
import { unfoldSteps } from '../unfold-steps.ts';

const suite = `configuration: ../authentication.yaml
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

export const accessibility = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'accessibility');
  writeFileSync(join(folder, 'people/people.authtest.yaml'), suite);
  const stage = await openStage(play, { list: 'accessibility', folder });
  const { page, step, window, webviews } = stage;

  await step('whoami of an accepted sample', async () => {
    await window.open(configuration);
    await chooseSample(stage, 'ada');
    await window.command('authgraph.whoami');
    await webviews.find('.card.accepted dd', 'people:ada');
    await unfoldSteps(stage);
    await stage.expectTree('whoami', { frame: await webviews.holding('.card.accepted') });
  });
  await step('the samples', async () => {
    await window.row(/mallory.*rejected by/s).waitFor();
    await window.row(/ada.*current/s).waitFor();
    await window.row(/ada.*current/s).click();
    await stage.expectTree('samples', {
      root: '.part.sidebar .pane:has([aria-label^="Samples"]) .monaco-list',
    });
  });
  await step('whoami of a rejected sample', async () => {
    await chooseSample(stage, 'mallory');
    await window.command('authgraph.whoami');
    await webviews.find('.why-not', 'email');
    await stage.expectTree('whoami-rejected', { frame: await webviews.holding('.why-not') });
  });
  await step('the graph with the path of a sample', async () => {
    await chooseSample(stage, 'ada');
    await window.command('authgraph.showGraph');
    const frame = await webviews.holding('.picture [data-node].lit');
    await stage.expectTree('graph', { frame });
  });
  await step('the explanation of a rejected token', async () => {
    const { text } = newToken({ preferred_username: 'joan', aud: 'clusters', sub: 'joan' });
    await window.command('authgraph.explainToken');
    await window.answer(text);
    await webviews.find('.summary', 'does not accept this token');
    await webviews.find('.card.rejected .check', 'Failed check: audience');
    await stage.expectTree('explain', { frame: await webviews.holding('.summary') });
  });
  await step('the results of tests', async () => {
    await window.builtIn('Test: Run All Tests');
    await window.builtIn('Testing: Focus on Test Explorer View');
    const row = (name: RegExp) => window.row(name).waitFor();
    await window
      .row(/people\.authtest\.yaml/)
      .locator('.monaco-tl-twistie')
      .click();
    await row(/a forged token/);
    for (const state of ['passed', 'failed', 'skipped'])
      await page.locator(`.part.sidebar .codicon-testing-${state}-icon`).first().waitFor();
    await stage.expectTree('tests', { root: '.part.sidebar .test-explorer .monaco-list' });
  });
};
