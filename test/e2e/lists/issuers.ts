/** Signatures and live issuers: keys of the workspace, keys asked for, and what the doctor says. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copiedBy } from '../clipboard.ts';
import { configuration, exampleFolder } from '../example.ts';
import { type LiveIssuer, startIssuer } from '../issuer.ts';
import { openStage, type Play, type Stage } from '../stage.ts';

export const issuers = async (play: Play): Promise<void> => {
  const issuer = await startIssuer();
  try {
    const folder = exampleFolder(play, 'issuers');
    writeWorkspace(folder, issuer);
    const stage = await openStage(play, { list: 'issuers', folder });
    await withFiles(stage, issuer);
    if (play.host === 'desktop') await withIssuer(stage, issuer);
    else await withoutNetwork(stage, issuer);
  } finally {
    await issuer.stop();
  }
};

const joan = {
  preferred_username: 'joan',
  typ: 'Bearer',
  email: 'joan@example.com',
  realm_access: { roles: ['developers'] },
};
const eve = { ...joan, preferred_username: 'eve', email: 'eve@example.com' };

/** The example's first issuer is the live one; its keys stand in the workspace. */
const writeWorkspace = (folder: string, { url, authority, keySet }: LiveIssuer): void => {
  const file = join(folder, configuration);
  const [first = '', ...rest] = readFileSync(file, 'utf8').split('- issuer:\n');
  const [entry = '', ...others] = rest;
  const trust = `    certificateAuthority: |\n${authority.trim().replace(/^/gm, '      ')}\n`;
  const live = `${entry.replace(/url: .*\n/, `url: ${url}\n${trust}`)}`;
  // The same server, and nothing that says why to trust it.
  const unknown = others.map((each) => each.replace(/url: .*\n/, `url: ${url}/pipelines\n`));
  writeFileSync(file, [first, live, ...unknown].join('- issuer:\n'));
  mkdirSync(join(folder, 'keys'));
  writeFileSync(join(folder, 'keys/platform.jwks.json'), keySet);
};

const withFiles = async (stage: Stage, issuer: LiveIssuer): Promise<void> => {
  const { step, window, webviews } = stage;
  await step('checks the signature of a token with keys of the workspace', async () => {
    await window.open(configuration);
    await window.command('authgraph.pasteToken');
    await window.answer(issuer.token(joan));
    await window
      .message(/joan.*signature \(ES256\) checked with keys\/platform\.jwks\.json/s)
      .waitFor();
  });
  await step('says beside the claims that the signature was checked', async () => {
    await window.closeMessages();
    await window.command('authgraph.whoami');
    await webviews.find('.card.accepted dd', 'people:joan');
    await webviews.find('.steps li.passed', /signature.*checked with keys\/platform/s);
    await stage.wellMade();
  });
  await step('says that a signature does not fit', async () => {
    await window.command('authgraph.pasteToken');
    await window.answer(issuer.otherKeyToken(eve));
    await window.message(/eve.*does not fit keys\/platform\.jwks\.json/s).waitFor();
    await webviews.find('.steps li.failed', /signature.*does not fit/s);
    await webviews.find('.card.rejected .problem', 'would refuse this token');
    await stage.wellMade();
  });
};

const withIssuer = async (stage: Stage, issuer: LiveIssuer): Promise<void> => {
  const { page, step, window, editor, webviews } = stage;
  const token = issuer.token({ ...joan, preferred_username: 'lin' });
  await step('asks before it asks an issuer for its keys', async () => {
    await window.closeMessages();
    await window.command('authgraph.checkSignature');
    await window.answer(token);
    await window.dialog(/for its public keys/).waitFor();
    await window.dialog(issuer.url).waitFor();
    if (issuer.received.length > 0) throw new Error('the issuer was asked before');
  });
  await step('checks the signature with the keys of the issuer', async () => {
    await window
      .dialog(/for its public keys/)
      .locator('.monaco-button', { hasText: 'Ask This Issuer' })
      .click();
    await window.message(/lin: signature checked with the keys of/).waitFor();
    await webviews.find('.steps li.passed', /signature.*checked with the keys of/s);
    expectNoToken(issuer, token);
  });
  await step('asks before the doctor asks', async () => {
    await window.closeMessages();
    await window.command('authgraph.askIssuers');
    await window.dialog(/over the network/).waitFor();
    await window.dialog(issuer.url).waitFor();
  });
  await step('tells what live issuers would make fail', async () => {
    await window
      .dialog(/over the network/)
      .locator('.monaco-button', { hasText: 'Ask These Issuers' })
      .click();
    await window.tab('issuers asked.txt').waitFor();
    await editor.line(/✓.*discovery/).waitFor();
    await editor.line(/certificate.signed.by/).waitFor();
    await editor.line('authgraph doctor').waitFor();
    expectNoToken(issuer, token);
  });
  await step('copies the question of the doctor as a command', async () => {
    await copiedBy(page, /^authgraph doctor --config \S+authentication\.yaml$/, () =>
      page
        .locator('.editor-group-container.active .editor-actions [aria-label^="Copy Doctor"]')
        .first()
        .click(),
    );
  });
};

const withoutNetwork = async (stage: Stage, issuer: LiveIssuer): Promise<void> => {
  const { step, window } = stage;
  await step('says that a browser asks no issuer for keys', async () => {
    await window.closeMessages();
    await window.command('authgraph.checkSignature');
    await window.answer(issuer.token(joan));
    await window.message(/not asked in a browser/).waitFor();
  });
  await step('says that the doctor asks no issuer from a browser', async () => {
    await window.closeMessages();
    await window.command('authgraph.askIssuers');
    await window.message(/not asked in a browser.*authgraph doctor/s).waitFor();
    if (issuer.received.length > 0) throw new Error('the issuer was asked');
  });
};

const expectNoToken = ({ received }: LiveIssuer, token: string): void => {
  const [, payload = token, signature = token] = token.split('.');
  if (received.length === 0) throw new Error('the issuer was not asked');
  for (const text of received) {
    if (text.includes(payload) || text.includes(signature)) throw new Error('a token was sent');
  }
};
