/**
 * Steps for access changes before a save: the badge of the view, the mark on the line that causes a
 * loss, and the comparison with a branch and its report.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configuration, exampleFolder, places } from '../example.ts';
import { expectText } from '../expect.ts';
import { commitAll, git } from '../git-folder.ts';
import { openStage, type Play, type Stage } from '../stage.ts';
import { until } from '../until.ts';

export const changes = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'changes');
  commitAll(folder);
  commitBranch(folder);
  play.server.settings({ 'git.enabled': true });
  const stage = await openStage(play, { list: 'changes', folder });
  try {
    await withUnsavedEdit(stage);
    await withBranch(stage);
  } finally {
    play.server.settings({});
  }
};

/** Adds the branch `release`, whose usernames have another prefix. */
const commitBranch = (folder: string): void => {
  const file = join(folder, configuration);
  const text = readFileSync(file, 'utf8');
  git(folder, 'checkout', '-q', '-b', 'release');
  writeFileSync(file, text.replaceAll("'people:' + claims", "'staff:' + claims"));
  git(folder, 'commit', '-q', '-a', '-m', 'Rename');
  git(folder, 'checkout', '-q', 'main');
};

const withUnsavedEdit = async ({ page, step, window, editor }: Stage): Promise<void> => {
  const icon = page.locator('.part.activitybar .action-item', {
    has: page.locator('[aria-label^="AuthGraph"]'),
  });
  const badge = icon.locator('.badge-content', { hasText: /\d/ });
  const marks = page.locator('.monaco-editor .cgmr[class*="ced-"]');
  const noneShown = async (): Promise<void> => {
    await badge.waitFor({ state: 'hidden' });
    await marks.first().waitFor({ state: 'detached' });
  };
  await step('counts the samples that an unsaved edit locks out', async () => {
    await window.open(configuration);
    await editor.lens(/✓ ada/).waitFor();
    await noneShown();
    await editor.replace(configuration, places.endsWithArgument, 'staff');
    await badge.waitFor();
    expectText(await badge.innerText(), '2');
    const label = await icon
      .locator('[aria-label^="AuthGraph"]')
      .first()
      .getAttribute('aria-label');
    expectText(label ?? '', /Lost: ada, grace/);
  });
  await step('marks the line that locks them out', async () => {
    await marks.first().waitFor();
    if ((await marks.count()) !== 1) throw new Error('more than one line is marked');
    await window.open(configuration, places.endsWith.line, places.endsWith.column);
    const hover = await editor.hover(/ada can no longer log in as people:ada/);
    expectText(await hover.innerText(), /Unsaved changes/);
  });
  await step('lists what all tokens show', async () => {
    await page.keyboard.press('Escape');
    await window.command('authgraph.previewChange');
    await window.widenSideBar(620);
    // The view renders only the rows for which it has the height.
    for (const title of ['Samples', 'Whoami']) {
      await (await window.view(title)).locator('.pane-header').first().click();
    }
    await window.row('Found: someone loses access').waitFor();
    await window.row('Proved: no one gains access').waitFor();
    await window.row('Found: someone loses access').click();
    await window.row(/A token with the claims \{.*login\.example\.com/).waitFor();
  });
  await step('goes to the line that causes the loss', async () => {
    await window.row(/line \d+ · jwt\[0\]\.claimValidationRules\[1\]/).click();
    await window.status(`Ln ${places.endsWith.line}`).waitFor();
  });
  await step('says only that a text does not load', async () => {
    await editor.replace(configuration, places.groups, 'gruops');
    await window.row('does not load').waitFor();
    await noneShown();
  });
  await step('counts and marks nothing after the edit is reverted', async () => {
    await editor.revert();
    await window.row('No unsaved changes').waitFor();
    await noneShown();
  });
};

const withBranch = async ({ play, page, step, window, editor }: Stage): Promise<void> => {
  if (play.host === 'web') {
    await step('does not offer to compare with a branch without Git', () =>
      window.expectUnavailable('Compare Access with Branch'),
    );
  } else {
    await step('lists the branches', async () => {
      await window.command('authgraph.compareWithBranch');
      await window.choices.filter({ hasText: 'release' }).first().waitFor();
      await window.choices.filter({ hasText: 'main' }).first().waitFor();
    });
    await step('compares access with a branch', async () => {
      await window.choose('release');
      await window.row(/Since release \([0-9a-f]{7}\): 2 of 4 samples change/).waitFor();
      await window.row(/staff:ada.*⇒.*people:ada/s).waitFor();
      await window.row('Found: someone who keeps access gets another identity').waitFor();
    });
  }
  await step('opens a Markdown report', async () => {
    if (play.host === 'web') {
      await editor.replace(configuration, places.usernamePrefix, 'staff:');
    }
    await window.command('authgraph.reportChange');
    await editor.line(/###.Access.difference:/).waitFor();
    await until('the document has no file', async () => {
      const tab = await page.locator('.tab.active').first().getAttribute('aria-label');
      return tab !== null && /Untitled/.test(tab);
    });
    const before =
      play.host === 'web'
        ? /authentication\.yaml.\(saved\)/
        : /release.\([0-9a-f]{7}\):authentication\.yaml/;
    await editor.line(before).waitFor();
    await editor.line(/2.of.4.samples.change/).waitFor();
  });
};
