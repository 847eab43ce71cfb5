/** Groups of a mapping are linked to the bindings of the workspace, and unbound ones are reported. */
import { afterEach, expect, test } from 'vitest';
import type { Diagnostic, Hover, MarkupContent } from 'vscode-languageserver';
import { createBindings } from '../../language-server/src/bindings.ts';
import { limits } from '../../language-server/src/limits.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';

const uri = `${workspaceUri}/auth.yaml`;
const rolesUri = `${workspaceUri}/deploy (prod)/rbac.yaml`;
const claimsUri = `${workspaceUri}/ada.claims.yaml`;

const configuration = (groups: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://a.example, audiences: [app]}
  claimMappings:
    username: {claim: sub, prefix: "a:"}
    groups:
      ${groups}
`;
const claim = configuration('claim: groups\n      prefix: "oidc:"');
const claims = 'iss: https://a.example\naud: app\nsub: ada\ngroups: [dev, ops]\n';

const binding = (group: string, more = ''): string => `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: developers
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
subjects:
- kind: User
  name: dev
- kind: Group
  name: ${group}
${more}`;

let client: LanguageClient;
afterEach(() => client.close());

interface Given {
  readonly text?: string;
  readonly sample?: string;
  readonly settings?: object;
  /** Other files, by URI. */
  readonly more?: Readonly<Record<string, string>>;
}

const start = async (
  roles: string | undefined,
  { text = claim, sample = claims, settings = {}, more = {} }: Given = {},
): Promise<void> => {
  client = await languageClient({
    settings,
    files: new Map([
      ...(roles === undefined ? [] : [[rolesUri, roles] as const]),
      [claimsUri, sample],
      ...Object.entries(more),
    ]),
  });
  await client.open(uri, text);
  // Resolves once the files of the workspace are known.
  await client.connection.sendRequest('authgraph/samples', {});
};

const hover = async (line: number, character: number): Promise<string | undefined> => {
  const found = await client.connection.sendRequest<Hover | null>('textDocument/hover', {
    textDocument: { uri },
    position: { line, character },
  });
  return (found?.contents as MarkupContent | undefined)?.value;
};

/** Returns the diagnostics without a code: those about bindings. */
const unbound = async (): Promise<readonly Diagnostic[]> => {
  const { items } = await client.connection.sendRequest<{ items: readonly Diagnostic[] }>(
    'textDocument/diagnostic',
    { textDocument: { uri } },
  );
  return items.filter(({ code }) => code === undefined);
};

const inNamespace = `---
apiVersion: v1
kind: List
items:
- apiVersion: rbac.authorization.k8s.io/v1
  kind: RoleBinding
  metadata: {name: "x](command:y)|", namespace: shop}
  roleRef: {kind: Role, name: viewer}
  subjects: [{kind: Group, name: "oidc:dev"}]
`;

test.each([
  ['the claim', claim, 7, 16],
  ['the prefix', claim, 8, 17],
  ['an expression', configuration(`expression: "dyn(claims.groups).map(g, 'oidc:' + g)"`), 7, 26],
] as const)(
  'a hover on %s links the groups to their bindings',
  async (_, text, line, character) => {
    await start(`${binding('oidc:dev')}${inNamespace}`, { text });
    expect(await hover(line, character)).toMatch(
      new RegExp(
        [
          String.raw`\n\n\| group of a sample \| bound by \|`,
          String.raw`\| --- \| --- \|`,
          String.raw`\| \`oidc:dev\` \| \[ClusterRoleBinding developers\]\(file:///workspace/deploy%20%28prod%29/rbac\.yaml#L10\) to ClusterRole edit, \[RoleBinding x\\\]\\\(command\\:y\\\)\\\|\]\(file:///workspace/deploy%20%28prod%29/rbac\.yaml#L19\) in shop to Role viewer \|`,
          String.raw`\| \`oidc:ops\` \| no binding \|$`,
        ].join('\n'),
      ),
    );
    expect(await unbound()).toEqual([]);
  },
);

test('reports a mapping of which no group is bound, with a binding that lacks the prefix', async () => {
  await start(binding('dev'));
  expect(await unbound()).toEqual([
    {
      range: { start: { line: 7, character: 13 }, end: { line: 7, character: 19 } },
      severity: 3,
      source: 'authgraph',
      message:
        'no RoleBinding or ClusterRoleBinding of the workspace names a group of the samples: "oidc:dev", "oidc:ops"\nBind one of the groups to a role, or change the mapping or its prefix.',
      relatedInformation: [
        {
          location: {
            uri: rolesUri.replaceAll(' ', '%20').replace('(', '%28').replace(')', '%29'),
            range: { start: { line: 9, character: 8 }, end: { line: 9, character: 8 } },
          },
          message: 'ClusterRoleBinding "developers" names "dev"',
        },
      ],
    },
  ]);
});

test.each([
  ['dev', 'x:dev', 'dev'],
  ['x:dev', 'y:dev', 'x:dev'],
  ['y:team:dev', 'team:dev', 'team:dev'],
  ['system:dev', 'x:ops', 'x:ops'],
  ['system:dev', 'system:ops', undefined],
])('of %s and %s, %s differs only in the prefix', async (one, other, near) => {
  const sample = claims.replace('dev', one.includes('team') ? 'team:dev' : 'dev');
  await start(`${binding(one)}- kind: Group\n  name: ${other}\n`, { sample });
  const [found] = await unbound();
  expect(found?.relatedInformation?.map(({ message }) => message)).toEqual(
    near === undefined ? undefined : [`ClusterRoleBinding "developers" names "${near}"`],
  );
});

test('follows edits of manifests and samples', async () => {
  await start(binding('other'));
  expect(await unbound()).toHaveLength(1);
  await client.open(rolesUri, binding('oidc:ops'));
  expect(await unbound()).toEqual([]);
  await client.open(claimsUri, claims.replace('ops', 'sre'));
  expect(await unbound()).toHaveLength(1);
});

test.each([
  ['without bindings', undefined, {}],
  ['with roles only', 'apiVersion: v1\nkind: ConfigMap\n', {}],
  ['if a manifest cannot be read', binding('other', '---\nkind: RoleBinding\n\tx: [\n'), {}],
  ['without groups', binding('other'), { sample: claims.replace(/groups.*\n/, '') }],
  ['of a rejected sample', binding('other'), { sample: claims.replace(/sub.*\n/, '') }],
  ['if it is disabled', binding('other'), { settings: { roles: { hints: false } } }],
  [
    'if a manifest is too long',
    binding('other'),
    { more: { [`${workspaceUri}/role.yaml`]: 'x'.repeat(limits.roleLength + 1) } },
  ],
  [
    'of more manifests than are read',
    binding('other'),
    {
      more: Object.fromEntries(
        Array.from({ length: limits.roleFiles }, (_, at) => [
          `${workspaceUri}/z${at}-role.yaml`,
          '',
        ]),
      ),
    },
  ],
  ['of manifests with too much text', `${binding('other')}#${'x'.repeat(1024 * 1024)}`, {}],
] as const)('reports nothing %s', async (_, roles, options) => {
  await start(roles, options);
  expect(await unbound()).toEqual([]);
  expect(client.log).toEqual([]);
});

test('a manifest beyond the limit is read once the others are short enough', async () => {
  await start(undefined);
  const file = (name: string, text: string) => ({ uri: `file:///${name}`, name, text });
  const last = file('z.yaml', binding('dev'));
  const long = file('a.yaml', `#${' '.repeat(limits.bindingsLength)}`);
  let files = [long, last];
  const bindings = createBindings(() => ({ files, isComplete: true }));
  expect(bindings()).toMatchObject({ isComplete: false, hasBindings: false });
  files = [last];
  expect(bindings()).toMatchObject({ isComplete: true, hasBindings: true });
});
