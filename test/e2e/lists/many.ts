/**
 * Steps for a configuration with ten authenticators, each of which shows a sample of its own, and
 * for a window with two folders, each of which has samples of its own.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chooseSample } from '../choose-sample.ts';
import { openStage, type Play, type Stage } from '../stage.ts';

export const many = async (play: Play): Promise<void> => {
  await tenAuthenticators(play);
  await twoFolders(play);
};

const providers = Array.from({ length: 10 }, (_, index) => index);

/** The lines of one authenticator are few, so that all ten are visible. */
const configurationOf = (of: readonly number[]): string =>
  [
    'apiVersion: apiserver.config.k8s.io/v1',
    'kind: AuthenticationConfiguration',
    'jwt:',
    ...of.flatMap((provider) => [
      `- issuer: {url: https://provider-${provider}.example, audiences: [cluster]}`,
      `  claimMappings: {username: {expression: "'${provider}:' + claims.nick"}}`,
    ]),
    '',
  ].join('\n');

/** Claims without a nickname are rejected. */
const claimsOf = (provider: number, nick?: string): string =>
  JSON.stringify({ iss: `https://provider-${provider}.example`, aud: 'cluster', nick });

const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
};

const tenAuthenticators = async (play: Play): Promise<void> => {
  const folder = play.server.folder('ten');
  write(folder, { 'ten.yaml': configurationOf(providers) });
  for (const provider of providers) {
    write(folder, {
      [`ada-${provider}.claims.json`]: claimsOf(provider),
      [`bob-${provider}.claims.json`]: claimsOf(provider, 'bob'),
      [`cid-${provider}.claims.json`]: claimsOf(provider, 'cid'),
    });
  }
  const stage = await openStage(play, { list: 'many', folder });
  const { page, step, window, editor } = stage;

  await step('shows a value next to every authenticator', async () => {
    await window.open('ten.yaml');
    await showsNames(stage, () => 'bob');
  });
  await step('shows the verdict above every authenticator', async () => {
    for (const provider of providers) {
      await editor.lens(`✓ bob-${provider} → ${provider}:bob`).waitFor();
    }
  });
  await step('changes only the authenticator of the selected sample', async () => {
    await chooseSample(stage, 'cid-3');
    await showsNames(stage, (provider) => (provider === 3 ? 'cid' : 'bob'));
    await chooseSample(stage, 'cid-7');
    await showsNames(stage, (provider) => ([3, 7].includes(provider) ? 'cid' : 'bob'));
    await editor.lens('✓ cid-3 → 3:cid').waitFor();
    await editor.lens('✓ cid-7 → 7:cid').waitFor();
    await window.status('cid-7').waitFor();
  });
  await step('shows the value for that sample in a hover', async () => {
    const lines = configurationOf(providers).split('\n');
    const line = lines.findIndex((text) => text.includes("'3:'"));
    await window.open('ten.yaml', line + 1, (lines[line]?.indexOf('nick') ?? 0) + 1);
    await (await editor.hover('cid-3')).waitFor();
    await page.keyboard.press('Escape');
  });
  await step('shows the same samples after the window is reloaded', async () => {
    await page.reload();
    await window.ready();
    await window.open('ten.yaml');
    await window.status('cid-7').waitFor();
    await showsNames(stage, (provider) => ([3, 7].includes(provider) ? 'cid' : 'bob'));
  });
  await stage.close();
};

/** Waits until each authenticator shows the username with this name. */
const showsNames = async (
  { editor }: Stage,
  nameOf: (provider: number) => string,
): Promise<void> => {
  for (const provider of providers) {
    await editor.hint(`"${provider}:${nameOf(provider)}"`).waitFor();
  }
};

const twoFolders = async (play: Play): Promise<void> => {
  const folder = play.server.folder('two');
  write(folder, {
    'two.code-workspace': JSON.stringify({ folders: [{ path: 'one' }, { path: 'other' }] }),
    'one/one.yaml': configurationOf([0]),
    'one/samples/ada.claims.json': claimsOf(0),
    'one/samples/bob.claims.json': claimsOf(0, 'bob'),
    'other/other.yaml': configurationOf([0]),
    'other/samples/ada.claims.json': claimsOf(0, 'ada'),
    'other/samples/zoe.claims.json': claimsOf(0, 'zoe'),
  });
  const stage = await openStage(play, { list: 'many', folder: join(folder, 'two.code-workspace') });
  const { step, window, editor } = stage;

  await step('lists and counts the samples of the folder of the configuration', async () => {
    await window.open('one.yaml');
    await window.builtIn('View: Show AuthGraph');
    await window.row('one · ada').waitFor();
    await window.row('bob').waitFor();
    await editor.lens('1 of 2 samples accepted').waitFor();
    await window.status('bob').waitFor();
    await window.row('zoe').waitFor({ state: 'detached' });
  });
  await step('lists and counts those of the other folder with its configuration', async () => {
    await window.open('other.yaml');
    await window.row('other · ada').waitFor();
    await window.row('zoe').waitFor();
    await editor.lens('2 of 2 samples accepted').waitFor();
    await window.status('other · ada').waitFor();
    await window.row('bob').waitFor({ state: 'detached' });
  });
  await step('selects a sample for one folder only', async () => {
    await chooseSample(stage, 'zoe');
    await editor.lens('✓ zoe → 0:zoe').waitFor();
    await window.open('one.yaml');
    await window.status('bob').waitFor();
    await editor.lens('✓ bob → 0:bob').waitFor();
    await window.open('other.yaml');
    await window.status('zoe').waitFor();
    await window.row(/zoe.*current/s).waitFor();
  });
  await stage.close();
};
