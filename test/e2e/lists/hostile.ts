/**
 * Steps in a hostile workspace: nothing of it runs, is contacted, is rendered as markup, or is
 * written. Network and programs are observed from outside.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseSample } from '../choose-sample.ts';
import { holdings, isBeyondThisMachine, readOutside } from '../outside.ts';
import { openStage, type Play } from '../stage.ts';
import { until } from '../until.ts';

const canary = 'canary.example';
const markupName = '<b>auth<img src=x>.yaml';
const linkName = '$(bug)[jane](command:workbench.action.terminal.new)';
/** The username that `previewed.yaml` rejects. */
const rejectedUser = { line: 8, column: 32, length: 'mallory'.length };

export const hostile = async (play: Play): Promise<void> => {
  const folder = play.server.folder('hostile');
  writeWorkspace(folder);
  const before = holdings(folder);
  const stage = await openStage(play, { list: 'hostile', folder });
  const { page, step, window, editor, webviews } = stage;
  const expectNoneAnywhere = async (selector: string): Promise<void> => {
    for (const frame of await webviews.all()) await expectNone(frame.locator(selector), selector);
  };

  await step('shows a command link in a message as text', async () => {
    await window.open('authentication.yaml', 9, 18);
    await editor.errors.first().waitFor();
    const box = await editor.hover('must evaluate');
    await expectNone(
      box.locator('a[href*="command:"], a[data-href*="command:"]'),
      'a command link',
    );
    await expectNone(
      page.locator(`a[href*="${canary}"], img[src*="${canary}"]`),
      'an image or a link',
    );
  });
  await step('keeps code in a hover inside its fence', async () => {
    await window.open('authentication.yaml', 13, 34);
    const box = await editor.hover('system: user');
    await expectNone(
      box.locator('a[data-href^="command:"], a[href^="command:"]'),
      'a command link',
    );
  });
  await step('shows markup in a file name as text', async () => {
    await window.open(markupName);
    await editor.line('AuthenticationConfiguration').waitFor();
    await expectNone(page.locator('img[src="x"], .tab b'), 'an element of the file name');
  });
  await step('shows hostile claims as text', async () => {
    await window.open('previewed.yaml');
    await chooseSample(stage, 'alder');
    await window.command('authgraph.whoami');
    const name = await webviews.find('.card.accepted dd', 'alder');
    const text = await name.innerText();
    if (/[\u001b\u200b\u202e]/.test(text)) throw new Error(`invisible: ${JSON.stringify(text)}`);
    await webviews.find('.card.accepted dd', 'admin true');
    await webviews.find('.card.accepted dd', '<img src=x>');
    await expectNoneAnywhere('img, a, b');
  });
  await step('shows the message of a rule as text in whoami and the graph', async () => {
    await chooseSample(stage, 'mallory');
    await webviews.find('.card.rejected', '[fix](command:');
    await window.command('authgraph.showGraph');
    await webviews.find('.picture [data-node].failed');
    await expectNoneAnywhere('img, a, b, foreignObject, main script');
    await window.builtIn('View: Close All Editors');
  });
  await step('shows a command link in the name of a sample as text', async () => {
    await window.open('previewed.yaml');
    await chooseSample(stage, '[jane]');
    await expectNone(page.locator('.statusbar-item .codicon-bug'), 'a picture in the status bar');
    const saved = readFileSync(join(folder, 'previewed.yaml'), 'utf8');
    await editor.replace('previewed.yaml', rejectedUser, 'jane');
    await editor.save();
    const warning = window.message('can no longer log in');
    await warning.waitFor();
    await expectNone(warning.locator('.notification-list-item-message a'), 'a link in the message');
    await warning.locator('.monaco-button', { hasText: 'Undo' }).click();
    await until(
      'the file is as it was',
      () => readFileSync(join(folder, 'previewed.yaml'), 'utf8') === saved,
    );
    await window.builtIn('View: Close All Editors');
  });
  await step('reports an alias bomb', async () => {
    await window.open('bomb.yaml');
    await editor.errors.first().waitFor();
    await webviews.find('.load-failure', 'This configuration does not load (1 error)');
    await webviews.find('.load-failure', 'document contains excessive aliasing');
  });
  await step('reports a file of a megabyte', async () => {
    await window.open('large.yaml');
    await editor.warnings.first().waitFor();
    await webviews.find('.card.undecided .reason', 'the limit is 1048576');
  });
  await step('contacts no host, starts no program, writes no file', async () => {
    const { connections, programs } = readOutside(play.server.home);
    const beyond = connections.filter(isBeyondThisMachine);
    const probes = connections.filter((address) => /:(1|2379)$/.test(address));
    if (beyond.length + probes.length > 0) throw new Error(`contacted ${[...beyond, ...probes]}`);
    const planted = programs.filter((path) => path.startsWith(folder));
    if (planted.length > 0) throw new Error(`started ${planted}`);
    const remote = [...play.requested].filter((url) => !isLocal(url));
    if (remote.length > 0) throw new Error(`the browser requested ${remote}`);
    const after = holdings(folder);
    const changed = [...after].filter(([path, digest]) => before.get(path) !== digest);
    if (changed.length > 0) throw new Error(`written: ${changed.map(([path]) => path)}`);
  });
};

/** VS Code's service worker serves the pages' files under a hostname that does not exist. */
const isLocal = (url: string): boolean =>
  /^(https?|wss?):\/\/127\.0\.0\.1[:/]|^(data|blob|about):/.test(url) ||
  /^https:\/\/[^/]*\.vscode-resource\.vscode-cdn\.net\//.test(url);

const expectNone = async (locator: { count(): Promise<number> }, what: string): Promise<void> => {
  if ((await locator.count()) > 0) throw new Error(`there is ${what}`);
};

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';

const writeWorkspace = (folder: string): void => {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write(
    'authentication.yaml',
    `${head}jwt:
- issuer:
    url: https://127.0.0.1:1/probe
    discoveryURL: https://169.254.169.254/latest
    audiences: [cluster]
  claimValidationRules:
  - expression: claims.nothing
    message: "[fix](command:workbench.action.terminal.new) ![x](https://${canary}/p.png)"
  claimMappings:
    username:
      expression: "claims.preferred_username // \`\`\`\\n// [x](command:workbench.action.terminal.new)"
`,
  );
  const link = '[fix](command:workbench.action.terminal.new) <img src=x>';
  write(
    'previewed.yaml',
    `${head}jwt:
- issuer:
    url: https://hostile.example.com
    audiences: ["<img src=x>"]
  claimValidationRules:
  - expression: claims.sub != 'mallory'
    message: ${JSON.stringify(link)}
  claimMappings:
    username:
      expression: claims.sub
    groups:
      expression: "['admin ' + string(claims.__underscores__proto__underscores__.admin), string(claims.markup)]"
`,
  );
  const claims = '"iss":"https://hostile.example.com","aud":"<img src=x>","exp":4102444800';
  const extra = '"__proto__":{"admin":true},"markup":"<img src=x><b>x</b>"';
  write('mallory.claims.json', `{${claims},${extra},"sub":"mallory"}`);
  write(`${linkName}.claims.json`, `{${claims},${extra},"sub":"jane"}`);
  write('alder.claims.json', `{${claims},${extra},"sub":"alder\\u202eadmin\\u200b\\u001b[31m"}`);
  write(markupName, `${head}jwt: []\n`);
  const bomb = Array.from(
    { length: 12 },
    (_, depth) =>
      `a${depth}: &a${depth} [${
        depth === 0
          ? 'x'
          : Array(9)
              .fill(`*a${depth - 1}`)
              .join(', ')
      }]`,
  );
  write('bomb.yaml', `${head}${bomb.join('\n')}\njwt: *a11\n`);
  write(
    'large.yaml',
    `${head}jwt:\n${'# 0123456789012345678901234567890123456789\n'.repeat(28_000)}`,
  );
  mkdirSync(join(folder, '.vscode'));
  const evil = './evil.sh';
  write('evil.sh', '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n');
  chmodSync(join(folder, 'evil.sh'), 0o755);
  const settings = {
    'authgraph.server.path': evil,
    'authgraph.nodePath': evil,
    'authgraph.server.runtime': evil,
  };
  write('.vscode/settings.json', JSON.stringify(settings));
  for (const name of ['yaml', 're2js', 'vscode-languageclient', '@authgraph/engine']) {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true });
    const planted = "require('node:fs').writeFileSync(__dirname + '/ran', ''); process.exit(9);\n";
    write(`node_modules/${name}/index.js`, planted);
    write(`node_modules/${name}/package.json`, `{"name":"${name}","main":"index.js"}`);
  }
  write('package.json', '{"main":"node_modules/yaml/index.js"}');
};
