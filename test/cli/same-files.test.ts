/** `authgraph check` and the editor find the same configurations and flags, with the same problems. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver';
import { runCaptured } from '../support/captured-io.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';
import { readMarked } from '../support/marked.ts';

const root = join(import.meta.dirname, '../language-server');

/** The texts of the language server's fixtures, except for those with settings of their own. */
const fixtureTexts = ['embedded', 'code-action'].flatMap((feature) =>
  readdirSync(join(root, feature)).flatMap((name): readonly (readonly [string, string])[] => {
    const fixture = readMarked(readFileSync(join(root, feature, name), 'utf8'));
    if (Object.keys(fixture.settings).length > 0) return [];
    return [...fixture.files.values()].map((text, index) => [`${feature}-${index}-${name}`, text]);
  }),
);

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
const wrong = `${head}jwt:\n- issuer: {url: http://issuer.example, audiences: [app]}\n`;
const indented = wrong.replaceAll('\n', '\n    ').trimEnd();
const configMap = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n  auth.yaml: ${value}\n`;

const ownTexts: readonly (readonly [string, string])[] = [
  ['document.yaml', `kind: Service\n---\n${wrong}---\nkind: Pod\n`],
  ['secret.yaml', `kind: Secret\nstringData:\n  auth.yaml: |\n    ${indented}\n`],
  [
    'two.yaml',
    `${configMap('a', `|\n    ${indented}`)}---\n${configMap('b', JSON.stringify(wrong))}`,
  ],
  [
    'list.json',
    JSON.stringify({ kind: 'List', items: [{ kind: 'ConfigMap', data: { a: wrong } }] }),
  ],
  [
    'rke2.yaml',
    'kube-apiserver-arg:\n- oidc-issuer-url=http://issuer.example\n- oidc-client-id=app\n',
  ],
  [
    'kubeadm.yaml',
    'apiServer:\n  extraArgs:\n  - {name: oidc-issuer-url, value: "https://issuer.example"}\n',
  ],
  [
    'kind.yaml',
    'kind: Cluster\nkubeadmConfigPatches:\n- |\n  apiServer:\n    extraArgs:\n      oidc-issuer-url: http://issuer.example\n      oidc-client-id: app\n      oidc-groups-claim: groups\n',
  ],
  [
    'kubelogin.yaml',
    'kind: Config\nusers:\n- user:\n    exec:\n      args: [oidc-login, get-token, --oidc-issuer-url=http://x, --oidc-client-id=y]\n',
  ],
  ['oauth2-proxy.yaml', 'kind: Pod\nspec:\n  args: [--oidc-issuer-url=http://x, --client-id=y]\n'],
];
const texts = new Map([...ownTexts, ...fixtureTexts]);

interface Found {
  readonly code: string;
  readonly range: { readonly start: { readonly line: number; readonly column: number } };
}

let foundByCheck: ReadonlyMap<string, readonly string[]>;
let client: LanguageClient;
beforeAll(async () => {
  const files = Object.fromEntries([...texts].map(([name, text]) => [`files/${name}`, text]));
  const { stdout } = await runCaptured(['check', '-o', 'json', 'files'], { files });
  const report: { files: { file: string; diagnostics: Found[] }[] } = JSON.parse(stdout);
  foundByCheck = new Map(
    report.files.map(({ file, diagnostics }) => [
      file.replace('files/', ''),
      diagnostics.map(({ code, range }) => `${range.start.line}:${range.start.column} ${code}`),
    ]),
  );
  client = await languageClient({});
});
afterAll(() => client.close());

test.each([...texts.keys()])('%s', async (name) => {
  const uri = `${workspaceUri}/${name}`;
  await client.open(uri, texts.get(name) ?? '');
  const { items } = await client.connection.sendRequest<{ items: readonly Diagnostic[] }>(
    'textDocument/diagnostic',
    { textDocument: { uri } },
  );
  const inEditor = items.map(
    ({ code, range }) => `${range.start.line + 1}:${range.start.character + 1} ${code}`,
  );
  expect((foundByCheck.get(name) ?? []).toSorted()).toEqual(inEditor.toSorted());
});

test('the files have problems in every form', () => {
  for (const [name] of ownTexts.slice(0, -2)) expect(foundByCheck.get(name), name).not.toEqual([]);
});
