/**
 * Steps for samples: listing, selecting, editing, and creating from a token that is never stored.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseSample } from '../choose-sample.ts';
import { configuration, exampleFolder } from '../example.ts';
import { filesWith } from '../outside.ts';
import { openStage, type Play } from '../stage.ts';
import { newToken } from '../token.ts';

export const samples = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'samples');
  const stage = await openStage(play, { list: 'samples', folder });
  const { page, step, window, editor } = stage;
  const token = newToken({ preferred_username: 'joan' });

  await step('lists the identities of the workspace with their verdicts', async () => {
    await window.open(configuration);
    await window.builtIn('View: Show AuthGraph');
    for (const name of ['ada', 'build', 'grace', 'mallory']) await window.row(name).waitFor();
    await window.row(/ada.*people:ada/s).waitFor();
  });
  await step('selects a sample with a click', async () => {
    await window.row('ada').click();
    await window.row(/ada.*current/s).waitFor();
    await editor.hint('people:ada').waitFor();
  });
  await step('updates the values when the sample changes', async () => {
    await chooseSample(stage, 'grace');
    await editor.hint('people:grace').waitFor();
    await editor.hint('people:ada').waitFor({ state: 'detached' });
    await editor.lens(/grace → people:grace/).waitFor();
  });
  await step('shows the rule that rejects a sample', async () => {
    await chooseSample(stage, 'mallory');
    await editor.hint(/✗.*mallory@example\.org/).waitFor();
  });
  await step('uses an unsaved edit of the claims', async () => {
    await chooseSample(stage, 'grace');
    await window.open('grace.claims.yaml', 7, 21);
    await page.keyboard.press('End');
    await page.keyboard.type('-hopper');
    await window.open(configuration);
    await editor.hint('people:grace-hopper').waitFor();
  });
  await step('reads a token from the clipboard and keeps only its claims', async () => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(token.text)})`);
    await window.command('authgraph.sampleFromClipboard');
    await window.message(/joan.*not checked/s).waitFor();
    await window.status('joan').waitFor();
    await editor.hint('people:joan').waitFor();
    await page.evaluate(`navigator.clipboard.writeText('')`);
  });
  await step('removes a sample from memory', async () => {
    await window.closeMessages();
    await window.command('authgraph.removeSample');
    await window.choose('joan');
    await window.row('joan').waitFor({ state: 'detached' });
  });
  await step('reads a pasted token and shows its claims', async () => {
    await window.command('authgraph.pasteToken');
    await window.answer(token.text);
    const message = window.message(/joan.*not checked/s);
    await message.waitFor();
    await message.locator('.monaco-button', { hasText: 'Show Claims' }).click();
    await editor.line('preferred_username').waitFor();
  });
  await step('proposes to replace email addresses before saving', async () => {
    await window.closeMessages();
    await window.command('authgraph.saveSample');
    await window.choose('joan');
    await window.choices.filter({ hasText: 'person1@' }).first().waitFor();
  });
  await step('saves them as a sample', async () => {
    await page.keyboard.press('Enter');
    await window.acceptFile('Save Sample');
    await window.tab('joan.claims.json').waitFor();
    const saved = readFileSync(join(folder, 'joan.claims.json'), 'utf8');
    if (saved.includes('joan@corp.test')) throw new Error('the address was saved');
  });
  await step('duplicates a sample', async () => {
    await window.command('authgraph.duplicateSample');
    await window.choose('ada');
    await window.acceptFile('Save Sample');
    await window.tab(/ada-copy/).waitFor();
  });
  // VS Code itself stores unsaved text, so this token is not searched for.
  const pasted = newToken({ preferred_username: 'pasted' });
  const paste = async (): Promise<void> => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(pasted.text)})`);
    await page.keyboard.press('Control+v');
    await editor.fix('Replace token with its claims');
    await page.evaluate(`navigator.clipboard.writeText('')`);
  };
  await step('replaces a token that was pasted into a YAML file', async () => {
    await window.open('grace.claims.yaml');
    await page.keyboard.press('Control+a');
    await paste();
    await editor.line('"preferred_username": "pasted"').waitFor();
    await editor.revert();
  });
  await step('replaces a token that was pasted into a JSON file', async () => {
    await window.open('ada.claims.json');
    await page.keyboard.press('Control+a');
    await paste();
    await editor.line('"preferred_username": "pasted"').waitFor();
    await editor.revert();
  });
  await step('replaces a token that was pasted into a string of a JSON file', async () => {
    await window.open('ada.claims.json', 2, 1);
    await page.keyboard.insertText('"token": "",');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await paste();
    await editor.line('"preferred_username": "pasted"').waitFor();
    await editor.revert();
  });
  await step('stores the token nowhere', async () => {
    const control = 'a control that is found';
    writeFileSync(join(folder, 'control.txt'), control);
    if (filesWith(play.server.home, control).length === 0) throw new Error('nothing is found');
    const found = token.secrets.flatMap((text) => filesWith(play.server.home, text));
    if (found.length > 0) throw new Error(`a part of it is in ${found}`);
  });
};
