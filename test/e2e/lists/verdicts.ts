/**
 * Steps for verdicts: rejected tokens, samples with a note, files that kube-apiserver does not load,
 * and samples that an error leaves undecided. Every view shows the same verdict.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectAgreement } from '../agreement.ts';
import { chooseSample } from '../choose-sample.ts';
import { configuration, exampleFolder, places } from '../example.ts';
import { openStage, type Play, type Stage } from '../stage.ts';
import { newToken } from '../token.ts';
import { until } from '../until.ts';

export const verdicts = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'verdicts');
  writeSamples(folder);
  const opened = await openStage(play, { list: 'verdicts', folder });
  const stage: Stage = {
    ...opened,
    step: (name, action) =>
      opened.step(name, async () => {
        await action();
        await expectAgreement(opened);
      }),
  };
  await withTokens(stage);
  await withNotes(stage);
  await withErrors(stage);
};

/** Adds copies of ada whose tokens would be rejected. */
const writeSamples = (folder: string): void => {
  const ada = JSON.parse(readFileSync(join(folder, 'people/ada.claims.json'), 'utf8')) as object;
  mkdirSync(join(folder, 'notes'));
  const write = (name: string, claims: object): void =>
    writeFileSync(
      join(folder, `notes/${name}.claims.json`),
      `${JSON.stringify({ ...ada, ...claims }, undefined, 2)}\n`,
    );
  write('olga', { preferred_username: 'olga', exp: 1_700_000_000 });
  write('otto', { preferred_username: 'otto', aud: 'account' });
};

const pasted = (claims: object): string =>
  newToken({ preferred_username: 'joan', email: 'joan@example.com', ...claims }).text;

const withTokens = async (stage: Stage): Promise<void> => {
  const { step, window, editor, webviews } = stage;
  await step('rejects an expired token', async () => {
    await window.open(configuration);
    await window.command('authgraph.whoami');
    await window.command('authgraph.pasteToken');
    await window.answer(pasted({ exp: 1_700_000_000 }));
    await window.message(/joan rejected: expired on 2023-11-14 22:13 UTC/).waitFor();
    await webviews.find('.card.rejected .problem', 'expired on 2023-11-14 22:13 UTC');
    await webviews.find('.card.rejected dd', 'people:joan');
    await window.row(/rejected: expired on 2023-11-14/).waitFor();
    await window.status(/◉ joan ✗/).waitFor();
    await editor.lens(/✗ joan rejected: expired/).waitFor();
    await editor.hint(/✗.expired.on.2023-11-14/).waitFor();
    await stage.wellMade();
  });
  await step('rejects a token for another audience', async () => {
    await window.closeMessages();
    await window.command('authgraph.pasteToken');
    await window.answer(pasted({ preferred_username: 'jim', aud: 'account' }));
    await window.message(/jim rejected: audience is "account", not "cluster"/).waitFor();
    await webviews.find('.card.rejected .problem', 'audience is "account", not "cluster"');
    await webviews.find('.card.rejected dd', 'people:jim');
    await window.status(/◉ jim ✗/).waitFor();
    await editor.lens(/✗ jim rejected: audience is "account"/).waitFor();
    await stage.wellMade();
  });
  await step('goes from the wrong audience to the accepted ones', async () => {
    await window.closeMessages();
    await (await webviews.find('.card.rejected .problem button.line')).click();
    await window.status(`Ln ${places.audience.line}`).waitFor();
  });
  await step('ends at the audience of the token in the graph', async () => {
    await window.command('authgraph.showGraph');
    await webviews.find('.picture [data-node="jwt[0].issuer.audiences"].failed');
  });
};

const withNotes = async (stage: Stage): Promise<void> => {
  const { step, window, editor, webviews } = stage;
  await step('marks an expired sample file', async () => {
    await window.builtIn('View: Close All Editors');
    await window.open(configuration);
    await chooseSample(stage, 'olga');
    await webviews.find('.card.acceptedWithNote .caution', 'expired on 2023-11-14 22:13 UTC');
    await window.row(/olga.*expired on 2023-11-14/s).waitFor();
    await window.status(/◉ olga ⚠/).waitFor();
    await editor.lens(/⚠ olga → people:olga/).waitFor();
    await stage.wellMade();
  });
  await step('counts samples with a note separately', async () => {
    await editor.lens(/2 of \d samples accepted, 1 expired, 1 for another audience/).waitFor();
  });
  await step('marks a sample file for another audience', async () => {
    await chooseSample(stage, 'otto');
    await webviews.find('.card.acceptedWithNote .caution', 'audience is "account"');
    await window.status(/◉ otto ⚠/).waitFor();
    await editor.lens(/⚠ otto → people:otto/).waitFor();
  });
};

const withErrors = async (stage: Stage): Promise<void> => {
  const { page, step, window, editor, webviews } = stage;
  const breakFile = () => editor.replace(configuration, places.groups, 'gruops');
  await step('shows all samples with the current one first', async () => {
    await chooseSample(stage, 'ada');
    await window.command('authgraph.whoamiAll');
    await webviews.find('.cards > .card.accepted:first-child', 'ada');
    await webviews.find('.card.accepted dd', 'pipeline:');
  });
  await step('keeps the last answer of the current sample after an error', async () => {
    await breakFile();
    const first = '.cards > .card.undecided:first-child';
    await webviews.find(`${first} h2`, 'ada');
    await webviews.find(`${first} .reason`, `jwt[0] has 1 error (line ${places.groups.line})`);
    await webviews.find(`${first} .stale`, 'As of before your edit');
    await webviews.find(`${first} .stale dd`, 'people:ada');
    await window.status(/◉ ada \?/).waitFor();
    await stage.wellMade();
  });
  await step('reports everywhere that the file does not load', async () => {
    await chooseSample(stage, 'build');
    await window.command('authgraph.whoami');
    await webviews.find('.load-failure h2', 'This configuration does not load (1 error)');
    await webviews.find('.card.acceptedWithNote', 'As if jwt[0] were removed');
    await window.row(/build.*as if jwt\[0\] were removed/s).waitFor();
    await page.locator('.part.sidebar', { hasText: 'This configuration does not load' }).waitFor();
    await window.status(/◉ build ⚠/).waitFor();
    await window.open(configuration, 1);
    await editor.lens(/⚠ This configuration does not load \(1 error\)/).waitFor();
    await stage.wellMade();
  });
  await step('goes from the failure to the error', async () => {
    await (await webviews.find('.load-failure button.line')).click();
    await window.status(`Ln ${places.groups.line}`).waitFor();
  });
  await step('reports in the graph that the file does not load', async () => {
    await window.command('authgraph.showGraph');
    await webviews.find('.problem', 'This configuration does not load (1 error)');
    await stage.wellMade();
  });
  await step('reports in Access Changes that the file does not load', async () => {
    await window.builtIn('View: Close Editor');
    await window.open(configuration);
    await window.command('authgraph.previewChange');
    await window.row(/This configuration does not load \(1 error\)/).waitFor();
    await window.row(/as if jwt\[0\] were removed/).waitFor();
  });
  await step('warns when a save leaves a file that does not load', async () => {
    await window.open(configuration, 1);
    await editor.save();
    await window.message(/kube-apiserver does not load this file \(1 error\)/).waitFor();
    await window.row('No unsaved changes').waitFor();
    await window.row(/This configuration does not load \(1 error\)/).waitFor();
  });
  await step('goes from the warning to the error', async () => {
    const warning = window.message(/kube-apiserver does not load this file \(1 error\)/);
    await warning.locator('.monaco-button', { hasText: 'Show' }).click();
    await window.status(`Ln ${places.groups.line}`).waitFor();
  });
  await step('undoes a save of a file that does not load', async () => {
    await editor.replace(configuration, { ...places.groups, length: 6 }, 'groups');
    await editor.save();
    await webviews.find('.card.accepted', 'build');
    await breakFile();
    await editor.save();
    const warning = window.message(/kube-apiserver does not load this file \(1 error\)/);
    await warning.locator('.monaco-button', { hasText: 'Undo' }).click();
    await until('the file is as before', async () => {
      await editor.line('groups:').waitFor({ timeout: 2000 });
      await webviews.find('.card.accepted', 'build');
      return true;
    });
  });
};
