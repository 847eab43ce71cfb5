/**
 * Steps for whoami, the graph, and the change preview. After each step, all places that show the
 * verdict on the current sample agree.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectAgreement } from '../agreement.ts';
import { chooseSample } from '../choose-sample.ts';
import { configuration, exampleFolder, places } from '../example.ts';
import { expectText } from '../expect.ts';
import { openStage, type Play } from '../stage.ts';
import { unfoldSteps } from '../unfold-steps.ts';
import { until } from '../until.ts';

/** Conditions that mallory does not fulfill either. */
const moreConditions = " && claims.azp == 'cluster-cli' && claims.preferred_username == 'ada'";

export const previews = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'previews');
  const stage = await openStage(play, { list: 'previews', folder });
  const { page, window, editor, webviews } = stage;
  const step = (name: string, action: () => Promise<void>): Promise<void> =>
    stage.step(name, async () => {
      await action();
      await expectAgreement(stage);
    });

  await step('shows the user of the sample', async () => {
    await window.open(configuration);
    await chooseSample(stage, 'ada');
    await window.command('authgraph.whoami');
    await webviews.find('.card.accepted dd', 'people:ada');
  });
  await step('announces the verdict to screen readers', async () => {
    const announcement = await webviews.find('#announcement[aria-live="polite"]', 'people:ada');
    expectText(await announcement.innerText(), 'Authenticated');
    await stage.wellMade();
  });
  await step('goes from a step to its line', async () => {
    await unfoldSteps(stage);
    await (await webviews.find('button.step', 'groups')).click();
    await window.status(`Ln ${places.roleVariable.line}`).waitFor();
  });
  await step('goes from a part of the user to its line', async () => {
    await (await webviews.find('dt button.line[aria-label^="Username"]')).click();
    await window.status(`Ln ${places.groups.line - 1}`).waitFor();
  });
  await step('shows the result as YAML', async () => {
    await (await webviews.find('.card button', 'Show as YAML')).click();
    await editor.line('SelfSubjectReview').waitFor();
  });
  await step('copies the whoami command', async () => {
    await (await webviews.find('.card button', 'Copy as CLI Command')).click();
    await until('the clipboard has the command', async () => {
      const text = await page.evaluate('navigator.clipboard.readText()');
      return String(text).includes('authgraph whoami');
    });
  });
  await step('shows all samples side by side', async () => {
    await window.builtIn('View: Close All Editors');
    await window.open(configuration);
    await window.command('authgraph.whoamiAll');
    await webviews.find('.card.accepted dd', 'people:grace');
    await webviews.find('.card.accepted dd', 'pipeline:');
    await webviews.find('.card.rejected', 'mallory');
    await stage.wellMade();
  });
  await step('shows what would be accepted', async () => {
    await chooseSample(stage, 'mallory');
    await window.command('authgraph.whoami');
    await webviews.find('.why-not', 'email');
    await stage.wellMade();
  });
  await step('goes from the rejection to the rule', async () => {
    await (await webviews.find('.refusal button.line')).click();
    await window.status(`Ln ${places.endsWith.line}`).waitFor();
  });
  await step('tries the accepted change', async () => {
    await (await webviews.find('.why-not button', 'Try It')).click();
    await webviews.find('.card.accepted dd', 'people:mallory');
  });
  await step('impersonates a user with the roles of the workspace', async () => {
    await chooseSample(stage, 'grace');
    await window.command('authgraph.whoami');
    await (await webviews.find('details.as summary')).click();
    await (await webviews.find('#as-username')).fill('people:ada');
    await page.keyboard.press('Tab');
    await webviews.find('.acting:not(.refusal)', 'people:ada');
    await webviews.find('.acting-note', 'Impersonating people:ada');
    await stage.wellMade();
  });
  await step('keeps impersonating after the sample changed', async () => {
    await chooseSample(stage, 'ada');
    await webviews.find('.acting-note.failed', 'Not allowed to impersonate people:ada');
    await stage.wellMade();
    await (await webviews.find('.acting-note button')).click();
    await webviews.find('.card.accepted:not(:has(.acting))', 'people:ada');
  });
  await step('draws the graph with the path of the sample', async () => {
    await chooseSample(stage, 'ada');
    await window.command('authgraph.showGraph');
    await webviews.find('.picture [data-node].lit');
    await stage.wellMade();
  });
  await step('shows the details of a node', async () => {
    await (await webviews.find('.picture [data-node="jwt[0].issuer"]')).focus();
    await webviews.find('#details h2');
  });
  await step('goes from a node to its line', async () => {
    await page.keyboard.press('Enter');
    await window.status(`Ln ${places.afterUrl.line}`).waitFor();
    await webviews.find('.picture [data-node="jwt[0].issuer"].at-cursor');
  });
  await step('shows the graph as text', async () => {
    await window.command('authgraph.showGraphText');
    await editor.line(/login\.example\.com/).waitFor();
  });
  await step('updates the lenses after an edit although the editor lost the focus', async () => {
    await window.builtIn('View: Close All Editors');
    await window.open(configuration);
    await editor.lens(/✓ ada → people:ada/).waitFor();
    await editor.replace(configuration, places.usernamePrefix, 'staff:');
    await window.row('grace').click();
    await editor.lens(/✓ grace → staff:grace/).waitFor();
    await expectAgreement(stage);
    await window.row('ada').click();
    await editor.lens(/✓ ada → staff:ada/).waitFor();
  });
  await step('previews the access changes of an unsaved edit', async () => {
    await window.command('authgraph.previewChange');
    await window.row(/people:ada.*⇒.*staff:ada/s).waitFor();
  });
  await step('shows the access changes as text', async () => {
    await window.command('authgraph.showChangeText');
    await editor.line(/username\speople:ada\sbecomes\sstaff:ada/).waitFor();
    await window.builtIn('View: Close Editor');
  });
  await step('compares the results before and after', async () => {
    await window.row(/people:ada.*⇒.*staff:ada/s).click();
    await page.locator('.diff-editor, .monaco-diff-editor').first().waitFor();
  });
  await step('warns when a save locks a sample out', async () => {
    await window.builtIn('View: Close Editor');
    await window.open(configuration);
    await editor.revert();
    await editor.replace(configuration, places.endsWithArgument, 'staff');
    await editor.line("endsWith('staff@example.com')").waitFor();
    await editor.save();
    await window.message(/can no longer log in/).waitFor();
    await window.row(/Last save: /).waitFor();
    expectText(await window.message(/can no longer log in/).innerText(), `${configuration}: `);
  });
  await step('undoes that save', async () => {
    const warning = window.message(/can no longer log in/);
    await warning.locator('.monaco-button', { hasText: 'Undo' }).click();
    await editor.line("endsWith('@example.com')").waitFor();
    await window.row('No unsaved changes').waitFor();
  });
  await step('proposes to revert the edit that rejects the sample', async () => {
    await window.closeMessages();
    await editor.replace(configuration, places.endsWithArgument, 'staff');
    await window.command('authgraph.whoami');
    await webviews.find('.card.rejected .revert', 'The saved file accepts this sample');
    await stage.wellMade();
    await (await webviews.find('.card.rejected .revert button', 'Revert File')).click();
    await editor.line("endsWith('@example.com')").waitFor();
    await webviews.find('.card.accepted dd', 'people:ada');
    await editor.replace(configuration, places.endsWithArgument, 'staff');
    await webviews.find('.card.rejected .revert', 'The saved file accepts this sample');
    await editor.save();
    await webviews.find('.card.rejected .reason');
    await until('the saved file is not proposed any more', async () => {
      const page = await webviews.holding('.card.rejected');
      return (await page.locator('.revert').count()) === 0;
    });
    await window
      .message(/can no longer log in/)
      .locator('.monaco-button', { hasText: 'Undo' })
      .click();
    await editor.line("endsWith('@example.com')").waitFor();
    await webviews.find('.card.accepted dd', 'people:ada');
  });
  await step('compares with the closest accepted sample', async () => {
    await editor.replace(configuration, places.endsWithEnd, moreConditions);
    await chooseSample(stage, 'mallory');
    await window.command('authgraph.whoami');
    await webviews.find('.card.rejected .closest', 'ada is accepted and has email');
    await stage.wellMade();
    await window.open(configuration);
    await editor.revert();
    await chooseSample(stage, 'ada');
  });
  const files = (): string =>
    [
      configuration,
      'people/ada.claims.json',
      'people/grace.claims.yaml',
      'people/mallory.claims.yaml',
    ]
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('\n');
  const rename = async (): Promise<void> => {
    await window.open(configuration, places.usernameClaim.line, places.usernameClaim.column);
    await page.keyboard.press('F2');
    const box = page.locator('.rename-box input').first();
    await box.waitFor();
    await box.fill('login');
    await page.keyboard.press('Enter');
    await until('all files are renamed and saved', () => !files().includes('preferred_username'));
  };
  const savedFiles = files();
  await step('warns about a sample in memory that a rename locks out', async () => {
    await window.row(/mallory if/).waitFor();
    await rename();
    await window.message(/authentication\.yaml: mallory if.* can no longer log in/).waitFor();
    await window.row(/ada.*people:ada/s).waitFor();
  });
  await step('undoes a rename in all files', async () => {
    const warning = window.message(/can no longer log in/);
    await warning.locator('.monaco-button', { hasText: 'Undo' }).click();
    await until('all files are as before', () => files() === savedFiles);
    await window.row(/ada.*people:ada/s).waitFor();
  });
  await step('does not warn about a rename of a claim with its samples', async () => {
    await window.closeMessages();
    await window.command('authgraph.removeSample');
    await window.choose('mallory if');
    await window.row(/mallory if/).waitFor({ state: 'detached' });
    await rename();
    await window.row(/ada.*people:ada/s).waitFor();
    // A later warning shows that there was none before it.
    await editor.replace(configuration, places.endsWithArgument, 'staff');
    await editor.save();
    await window.message(/can no longer log in/).waitFor();
    const warnings = await page.locator('.notification-list-item').allInnerTexts();
    if (warnings.length !== 1) throw new Error(warnings.join(' | '));
    expectText(warnings.join(), /authentication\.yaml: (ada|grace).*(ada|grace) can no longer/);
  });
};
