/**
 * Steps that start from a 401: one answer about a token over all configurations of the folder, and
 * fixes of the configuration for a rejected sample.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseSample } from '../choose-sample.ts';
import { copiedBy } from '../clipboard.ts';
import { configuration, exampleFolder, places } from '../example.ts';
import { openStage, type Play, type Stage } from '../stage.ts';
import { newToken } from '../token.ts';

export const explain = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'explain');
  const text = readFileSync(join(folder, configuration), 'utf8');
  writeFileSync(join(folder, 'broken.yaml'), text.replace('groups:', 'gruops:'));
  writeFileSync(
    join(folder, 'other.yaml'),
    text.replaceAll('login.example.com', 'sso.example.com'),
  );
  const ada = JSON.parse(readFileSync(join(folder, 'people/ada.claims.json'), 'utf8'));
  const { email: _, ...claims } = ada;
  const write = (name: string, value: object): void =>
    writeFileSync(join(folder, `people/${name}.claims.json`), JSON.stringify(value));
  write('olga', { ...claims, preferred_username: 'olga', aud: 'account' });
  const stage = await openStage(play, { list: 'explain', folder });
  await withToken(stage);
  await withFixes(stage);
};

const withToken = async (stage: Stage): Promise<void> => {
  const { step, window, webviews, page } = stage;
  const rejected = newToken({ preferred_username: 'joan', aud: 'clusters' });
  await step('explains a token over all configurations of the folder', async () => {
    await window.command('authgraph.explainToken');
    await window.answer(rejected.text);
    await webviews.find('.summary', '0 of 3 configurations accept this token. 1 configuration');
    await webviews.find('.card.rejected h2', configuration);
    await webviews.find('.card.rejected .check', 'Failed check: audience');
    await webviews.find('.card.rejected .reason', 'audience is "clusters", not "cluster"');
    await webviews.find('.card.rejected .log', 'err="[invalid bearer token, oidc: verify token: ');
    await webviews.find('.card.noOpinion h2', 'other.yaml');
    await webviews.find('.card .load-failure', 'This configuration does not load (1 error)');
    await webviews.find('.nearest', '"cluster" in authentication.yaml, differs in one character');
    await stage.wellMade();
  });
  await step('copies the log line', async () => {
    await copiedBy(page, /^"Unable to authenticate the request" err="\[invalid/, async () => {
      await (await webviews.find('.card.rejected .actions button', 'Copy Log Line')).click();
    });
  });
  await step('shows the page of the code', async () => {
    await (await webviews.find('.card.rejected .actions button', 'Show AG5009')).click();
    await window.tab('audience-mismatch.md').waitFor();
    await window.builtIn('View: Close Editor');
  });
  await step('goes to the line of the reason', async () => {
    await (await webviews.find('.card.rejected .reason button.line')).click();
    await window.status(`Ln ${places.audience.line}`).waitFor();
  });
  await step('finds the issuer that is most similar', async () => {
    await page.evaluate(
      `navigator.clipboard.writeText(${JSON.stringify(
        newToken({ iss: 'https://login.example.com/realms/platform/' }).text,
      )})`,
    );
    await window.command('authgraph.explainToken');
    await window.answer('');
    await webviews.find('.nearest', 'differs only in a slash at its end');
    await page.evaluate(`navigator.clipboard.writeText('')`);
    await stage.wellMade();
  });
};

const withFixes = async (stage: Stage): Promise<void> => {
  const { step, window, editor } = stage;
  await step('adds the audience of a rejected sample', async () => {
    await window.open(configuration);
    await chooseSample(stage, 'olga');
    await window.open(configuration, places.audience.line, places.audience.column);
    await editor.fix('Add audience "account" to issuer.audiences: accepts tokens for it');
    await editor.line('audienceMatchPolicy: MatchAny').waitFor();
    await editor.line('- account').waitFor();
  });
  await step('reads a missing claim as an optional one', async () => {
    await window.open(configuration, places.endsWith.line + 2, places.endsWith.column);
    await editor.fix('Use claims.?email.orValue("")');
    await editor.line(`claims.?email.orValue("").endsWith('@example.com')`).waitFor();
  });
};
