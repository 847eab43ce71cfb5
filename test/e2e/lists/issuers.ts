/**
 * Steps for signatures and live issuers: key sets in the workspace, fetched keys, and the doctor.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copiedBy } from '../clipboard.ts';
import { configuration, exampleFolder } from '../example.ts';
import { type LiveIssuer, startIssuer } from '../issuer.ts';
import { openStage, type Play, type Stage } from '../stage.ts';
import { unfoldSteps } from '../unfold-steps.ts';
import { until } from '../until.ts';

export const issuers = async (play: Play): Promise<void> => {
  const issuer = await startIssuer();
  try {
    const folder = exampleFolder(play, 'issuers');
    writeWorkspace(folder, issuer);
    const stage = await openStage(play, { list: 'issuers', folder });
    await withFiles(stage, issuer);
    if (play.host === 'desktop') {
      await withIssuer(stage, issuer);
      await doctorDiagnostics(stage, issuer, join(folder, configuration));
    } else await withoutNetwork(stage, issuer);
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

/** Makes the live issuer the example's first issuer, and puts its keys into the workspace. */
const writeWorkspace = (folder: string, { url, authority, keySet }: LiveIssuer): void => {
  const file = join(folder, configuration);
  const [first = '', ...rest] = readFileSync(file, 'utf8').split('- issuer:\n');
  const [entry = '', ...others] = rest;
  const trust = `    certificateAuthority: |\n${authority.trim().replace(/^/gm, '      ')}\n`;
  const live = `${entry.replace(/url: .*\n/, `url: ${url}\n${trust}`)}`;
  // The same server, without a trusted certificate authority.
  const unknown = others.map((each) => each.replace(/url: .*\n/, `url: ${url}/pipelines\n`));
  writeFileSync(file, [first, live, ...unknown].join('- issuer:\n'));
  mkdirSync(join(folder, 'keys'));
  writeFileSync(join(folder, 'keys/platform.jwks.json'), keySet);
};

const withFiles = async (stage: Stage, issuer: LiveIssuer): Promise<void> => {
  const { step, window, webviews } = stage;
  await step('checks the signature of a token with a key set in the workspace', async () => {
    await window.open(configuration);
    await window.command('authgraph.pasteToken');
    await window.answer(issuer.token(joan));
    await window
      .message(/joan.*signature \(ES256\) checked with keys\/platform\.jwks\.json/s)
      .waitFor();
  });
  await step('shows the checked signature in whoami', async () => {
    await window.closeMessages();
    await window.command('authgraph.whoami');
    await webviews.find('.card.accepted dd', 'people:joan');
    await unfoldSteps(stage);
    await webviews.find('.steps li.passed', /signature.*checked with keys\/platform/s);
    await stage.wellMade();
  });
  await step('reports a signature that does not match', async () => {
    await window.command('authgraph.pasteToken');
    await window.answer(issuer.otherKeyToken(eve));
    await window.message(/eve.*does not match keys\/platform\.jwks\.json/s).waitFor();
    await unfoldSteps(stage);
    await webviews.find('.steps li.failed', /signature.*does not match/s);
    await webviews.find('.card.rejected .problem', 'would reject this token');
    await stage.wellMade();
  });
};

const withIssuer = async (stage: Stage, issuer: LiveIssuer): Promise<void> => {
  const { page, step, window, editor, webviews } = stage;
  const token = issuer.token({ ...joan, preferred_username: 'lin' });
  await step('asks for confirmation before it fetches keys', async () => {
    await window.closeMessages();
    await window.command('authgraph.checkSignature');
    await window.answer(token);
    await window.dialog(/public keys of this issuer/).waitFor();
    await window.dialog(issuer.url).waitFor();
    if (issuer.received.length > 0)
      throw new Error('the issuer was contacted before the confirmation');
  });
  await step('checks the signature with the keys of the issuer', async () => {
    await window
      .dialog(/public keys of this issuer/)
      .locator('.monaco-button', { hasText: 'Fetch Keys' })
      .click();
    await window.message(/lin: signature checked with the keys of/).waitFor();
    await unfoldSteps(stage);
    await webviews.find('.steps li.passed', /signature.*checked with the keys of/s);
    expectNoToken(issuer, token);
  });
  await step('asks for confirmation before the doctor runs', async () => {
    await window.closeMessages();
    await window.command('authgraph.checkIssuers');
    await window.dialog(/over the network/).waitFor();
    await window.dialog(issuer.url).waitFor();
  });
  await step('shows the doctor report of live issuers', async () => {
    await window
      .dialog(/over the network/)
      .locator('.monaco-button', { hasText: 'Contact Issuers' })
      .click();
    await window.message(/1 of \d issuers ready/).waitFor();
    await window.tab('issuer report.txt').waitFor();
    await editor.line(/1.of.\d.issuers.ready/).waitFor();
    await editor.line(/✓.*discovery/).waitFor();
    await editor.line(/certificate.signed.by/).waitFor();
    await editor.line('authgraph doctor').waitFor();
    expectNoToken(issuer, token);
  });
  await step('copies the doctor command', async () => {
    await copiedBy(page, /^authgraph doctor --config \S+authentication\.yaml$/, () =>
      page
        .locator('.editor-group-container.active .editor-actions [aria-label^="Copy Doctor"]')
        .first()
        .click(),
    );
  });
};

/** What the doctor found is shown on the URLs, and stays if a later run is canceled. */
const doctorDiagnostics = async (stage: Stage, issuer: LiveIssuer, file: string): Promise<void> => {
  const { step, window, editor } = stage;
  const finding = /no discovery document from .*unknown authority/s;
  const isListed = async (): Promise<boolean> => finding.test((await window.problems()).join('\n'));
  await step('shows what the doctor found in Problems, on the URL', async () => {
    await window.closeMessages();
    await window.open(configuration);
    await until('the finding is in Problems', isListed);
  });
  await step('cancels the doctor and keeps what it found before', async () => {
    const release = issuer.hold();
    try {
      await window.command('authgraph.checkIssuers');
      await window
        .dialog(/over the network/)
        .locator('.monaco-button', { hasText: 'Contact Issuers' })
        .click();
      const progress = window.message(/contacting issuers/);
      await progress.waitFor();
      await progress.locator('.monaco-button', { hasText: 'Cancel' }).click();
      await progress.waitFor({ state: 'detached' });
    } finally {
      release();
    }
    await until('the finding is in Problems', isListed);
  });
  await step('removes what the doctor found when the URL changes', async () => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const line = lines.findIndex((text) => text.includes('/pipelines')) + 1;
    const column = (lines[line - 1] ?? '').indexOf('/pipelines') + 1;
    await editor.replace(configuration, { line, column, length: '/pipelines'.length }, '/others');
    await until('the finding is gone', async () => !(await isListed()));
    await window.open(configuration);
    await editor.revert();
  });
};

const withoutNetwork = async (stage: Stage, issuer: LiveIssuer): Promise<void> => {
  const { step, window } = stage;
  await step('does not offer to contact issuers in a browser', async () => {
    await window.closeMessages();
    await until('a command is offered', () => window.offers('AuthGraph: Simulate Whoami'));
    for (const title of ['AuthGraph: Check Signature', 'AuthGraph: Check Issuers']) {
      if (await window.offers(title)) throw new Error(title);
    }
    if (issuer.received.length > 0) throw new Error('the issuer was contacted');
  });
};

const expectNoToken = ({ received }: LiveIssuer, token: string): void => {
  const [, payload = token, signature = token] = token.split('.');
  if (received.length === 0) throw new Error('the issuer was not contacted');
  for (const text of received) {
    if (text.includes(payload) || text.includes(signature)) throw new Error('a token was sent');
  }
};
