/**
 * Hostile workspaces: a valid one with one malicious addition, from the table of attacks and from
 * further cases.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** A directory entry: text, a link, or a pipe without a writer. */
export type Entry = string | { readonly link: string } | 'pipe';

export interface HostileCase {
  readonly id: string;
  readonly why: string;
  /** Entries by path relative to the workspace; `../` leads out of it. */
  readonly contents: ReadonlyMap<string, Entry>;
  /** Files in the order in which they are opened. */
  readonly open: readonly string[];
  readonly settings: object;
  readonly trusted: boolean;
  /** Claims of a sample held in memory. */
  readonly pasted: string | undefined;
  /** Strings that must not appear in any answer. */
  readonly secrets: readonly string[];
}

const issuers = ['a', 'b', 'c', 'd'].map((name) => `https://${name}.issuer.example`);

const base = (): Record<string, unknown> => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AuthenticationConfiguration',
  jwt: issuers.map((url, index) => ({
    issuer: { url, audiences: ['cluster'] },
    claimValidationRules: [{ expression: 'claims.hd == "example.com"', message: 'wrong domain' }],
    claimMappings: {
      username:
        index % 2 === 0
          ? { claim: 'sub', prefix: 'oidc:' }
          : { expression: '"oidc:" + claims.sub' },
      groups: { expression: 'claims.?roles.orValue([])' },
    },
    userValidationRules: [
      { expression: '!user.username.startsWith("system:")', message: 'reserved prefix' },
    ],
  })),
});

const claims = (index: number, more: object = {}): Record<string, unknown> => ({
  iss: issuers[index],
  aud: 'cluster',
  sub: 'alder',
  hd: 'example.com',
  roles: ['dev', 'ops'],
  exp: 1_900_000_000,
  ...more,
});

interface TableRow {
  readonly id: string;
  readonly why: string;
  readonly put?: { readonly path: string; readonly value: string };
  readonly flags?: string;
  readonly settings?: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly paste?: string;
  readonly size?: number;
  readonly gen?: { readonly g: string; readonly n: number };
  readonly name?: string;
  readonly token?: Readonly<Record<string, unknown>>;
  readonly trust?: boolean;
}

/** Returns the cases of the table; each row has a member that describes the addition. */
export const tableCases = (): readonly HostileCase[] =>
  readFileSync(join(import.meta.dirname, '../../attacks/editor.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): HostileCase => fromRow(JSON.parse(line)));

const fromRow = (row: TableRow): HostileCase => {
  const { id, why } = row;
  const known = new Set(['id', 'why', 'never', 'expect', 'file', ...rowMembers]);
  const unexpected = Object.keys(row).filter((name) => !known.has(name));
  if (unexpected.length > 0) throw new Error(`${id} has ${unexpected.join()}, which no case uses`);

  const configuration = base();
  if (row.put !== undefined) putAt(configuration, row.put.path, row.put.value);
  let text = stringify(configuration);
  if (row.size !== undefined) text += '# filling\n'.repeat(Math.ceil(row.size / 10));
  if (row.gen?.g === 'aliasbomb') text += aliasBomb(row.gen.n);
  const name = row.name ?? 'authentication.yaml';
  const contents = new Map<string, Entry>([[name, text], ...sampleFiles()]);
  const open = [name, 'a.claims.json'];
  if (row.flags !== undefined) {
    contents.set('kubeadm.yaml', kubeadm(row.flags));
    open.push('kubeadm.yaml');
  }
  if (row.settings !== undefined) contents.set('evil.sh', '#!/bin/sh\ntouch ../written\n');
  for (const [path, content] of Object.entries(row.files ?? {})) contents.set(path, content);
  if (row.token !== undefined) {
    contents.set('unusual.claims.json', json(claims(0), row.token));
    open.push('unusual.claims.json');
  }
  return {
    id,
    why,
    contents,
    open,
    settings: row.settings ?? {},
    trusted: row.trust ?? true,
    pasted: row.paste === 'jwt' ? token : undefined,
    secrets: row.paste === 'jwt' ? token.split('.') : [],
  };
};

const rowMembers = [
  'put',
  'flags',
  'settings',
  'files',
  'paste',
  'size',
  'gen',
  'name',
  'token',
  'trust',
];

const sampleFiles = (): readonly (readonly [string, string])[] =>
  ['a', 'b', 'c', 'd'].map((name, index) => [
    `${name}.claims.json`,
    JSON.stringify(claims(index), null, 2),
  ]);

/** Returns JSON text, because copying an object may lose `__proto__`. */
const json = (sound: object, unusual: object): string => {
  const members = [...Object.entries(sound), ...Object.entries(unusual)].map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{\n${members.join(',\n')}\n}\n`;
};

const putAt = (root: Record<string, unknown>, path: string, value: string): void => {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  const last = steps.pop() ?? '';
  let at: object = root;
  for (const step of steps) {
    const next: unknown = Reflect.get(at, step);
    if (typeof next !== 'object' || next === null) throw new Error(`there is no ${path}`);
    at = next;
  }
  Reflect.set(at, last, value);
  if (last === 'expression') Reflect.deleteProperty(at, 'claim');
  if (last === 'expression') Reflect.deleteProperty(at, 'prefix');
};

const aliasBomb = (levels: number): string =>
  Array.from({ length: levels }, (_, level) =>
    level === 0
      ? 'bomb0: &b0 [x]\n'
      : `bomb${level}: &b${level} [${Array(10)
          .fill(`*b${level - 1}`)
          .join(', ')}]\n`,
  ).join('');

const kubeadm = (flag: string): string => {
  const [name = '', value = ''] = flag.replace(/^--/, '').split('=');
  return stringify({
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'ClusterConfiguration',
    apiServer: {
      extraArgs: [
        { name, value },
        { name: 'authentication-config', value: '../outside/secret.claims.json' },
      ],
    },
  });
};

const part = (value: string): string => Buffer.from(value).toString('base64url');
const token = `${part('{"alg":"RS256","kid":"k"}')}.${part(JSON.stringify(claims(0)))}.${part('the signature of a token')}`;

const markup = '<img src=x onerror=a>[x](command:a)![x](https://alder.example/p.png)`';
const unseen = 'a\u202eb\u200bc\u2066d\u001b[31me\u0007';

type OwnCase = Partial<HostileCase> & Pick<HostileCase, 'why'>;

const own: readonly OwnCase[] = [
  {
    why: 'markup in every string and in the name of a sample',
    contents: new Map<string, Entry>([
      [
        `${markup.replaceAll('/', '_')}.claims.json`,
        json(claims(0, { sub: markup, roles: [markup], [markup]: markup }), {}),
      ],
    ]),
  },
  {
    why: 'markup in claims that expressions read, and in the values of mappings',
    contents: new Map<string, Entry>([
      ['a.claims.json', json(claims(0, { sub: markup, hd: markup, roles: [markup] }), {})],
      ['b.claims.json', json(claims(1, { sub: `\`\`\`\n${markup}`, roles: [markup] }), {})],
    ]),
  },
  {
    why: 'markup in field names, comments and text',
    contents: new Map<string, Entry>([
      [
        'authentication.yaml',
        `# ${markup}\n${stringify({ ...base(), [markup]: markup })}x: |\n  ${markup}\n`,
      ],
    ]),
  },
  {
    why: 'direction marks, escapes and zero-width characters in claims and their names',
    contents: new Map<string, Entry>([
      ['a.claims.json', json(claims(0, { sub: unseen, hd: unseen, [unseen]: unseen }), {})],
      ['b.claims.json', json(claims(1, { sub: unseen, roles: [unseen] }), {})],
    ]),
  },
  {
    why: 'the same in the configuration',
    contents: new Map<string, Entry>([
      [
        'authentication.yaml',
        JSON.stringify(base()).replaceAll('wrong domain', JSON.stringify(unseen).slice(1, -1)),
      ],
    ]),
  },
  {
    why: 'names of JavaScript properties as claims',
    contents: new Map<string, Entry>([
      [
        'a.claims.json',
        json(claims(0), {
          __proto__x: 1,
          constructor: { prototype: 1 },
          toString: 'x',
          hasOwnProperty: [],
        }),
      ],
      [
        'proto.claims.json',
        '{"iss":"https://a.issuer.example","sub":"x","__proto__":{"hd":"example.com"}}',
      ],
      ['proto.claims.yaml', 'iss: https://a.issuer.example\n__proto__: {sub: x}\nconstructor: y\n'],
    ]),
    open: ['authentication.yaml', 'proto.claims.json', 'proto.claims.yaml'],
  },
  {
    why: 'deep nesting in configuration and claims',
    contents: new Map<string, Entry>([
      ['authentication.yaml', `${stringify(base())}x: ${'['.repeat(20_000)}\n`],
      ['a.claims.json', `{"sub":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
      ['b.claims.yaml', `sub: ${'{a: '.repeat(5000)}\n`],
    ]),
    open: ['authentication.yaml', 'a.claims.json', 'b.claims.yaml'],
  },
  {
    why: 'links out of the workspace, loops, a device and a pipe',
    contents: new Map<string, Entry>([
      ['../outside/secret.claims.json', '{"sub":"top-secret-subject"}'],
      ['../outside/roles.yaml', 'kind: ClusterRole\n'],
      ['link.claims.json', { link: '../outside/secret.claims.json' }],
      ['out', { link: '../outside' }],
      ['loop', { link: '.' }],
      ['zero.claims.json', { link: '/dev/zero' }],
      ['hosts.claims.json', { link: '/etc/hosts' }],
      ['pipe.claims.json', 'pipe'],
      ['roles.yaml', { link: '../outside/roles.yaml' }],
    ]),
    secrets: ['top-secret-subject'],
  },
  {
    why: 'test files and settings that name files outside of the workspace',
    contents: new Map<string, Entry>([
      ['../outside/secret.claims.json', '{"sub":"top-secret-subject"}'],
      ['../outside/secret.yaml', 'top-secret-subject: [\n'],
      ['out', { link: '../outside' }],
      ['link.yaml', { link: '../outside/secret.yaml' }],
      ['.authgraph.yaml', 'sampleFolders: [../outside, out]\n'],
      ['a.authtest.yaml', json({ configuration: '../outside/secret.yaml', tests: [] }, {})],
      ['b.authtest.yaml', json({ configuration: 'link.yaml', tests: [] }, {})],
      [
        'c.authtest.yaml',
        json(
          {
            configuration: 'authentication.yaml',
            samples: { a: '../outside/secret.claims.json', b: 'out/secret.claims.json' },
            flags: ['--token-auth-file=../outside/secret.yaml', '--client-ca-file=/etc/hosts'],
            objects: ['../outside/secret.yaml'],
            tests: [{ name: 'a', sample: 'a', expect: { rejected: true } }],
          },
          {},
        ),
      ],
    ]),
    open: [
      'authentication.yaml',
      '.authgraph.yaml',
      'a.authtest.yaml',
      'b.authtest.yaml',
      'c.authtest.yaml',
    ],
    secrets: ['top-secret-subject'],
  },
  {
    why: 'a settings file that is a link, and test files that are bombs, markup and directions',
    contents: new Map<string, Entry>([
      ['../outside/secret.yaml', 'top-secret-subject: [\n'],
      ['.authgraph.yaml', { link: '../outside/secret.yaml' }],
      ['a.authtest.yaml', `configuration: authentication.yaml\n${aliasBomb(9)}`],
      [
        'b.authtest.yaml',
        json(
          {
            configuration: 'authentication.yaml',
            tests: [
              { name: markup, claims: claims(0, { sub: markup }), expect: { user: markup } },
              { name: unseen, claims: claims(0, { sub: unseen }), expect: { user: unseen } },
            ],
          },
          { [markup]: unseen },
        ),
      ],
    ]),
    open: ['authentication.yaml', 'a.authtest.yaml', 'b.authtest.yaml'],
    secrets: ['top-secret-subject'],
  },
  {
    why: 'packages of the workspace under the names of ours',
    contents: new Map<string, Entry>(
      [
        'yaml',
        're2js',
        'vscode-languageserver',
        'vscode-languageserver-textdocument',
        'vscode-uri',
        '@authgraph/engine',
      ].flatMap((name): [string, Entry][] => [
        [`node_modules/${name}/package.json`, '{"main":"index.js"}'],
        [`node_modules/${name}/index.js`, 'process.exit(9)'],
      ]),
    ),
  },
  {
    why: 'many files',
    contents: new Map<string, Entry>(
      Array.from({ length: 3000 }, (_, at): [string, Entry] => [
        `many/${at % 60}/f${at}.claims.yaml`,
        `sub: s${at}\n`,
      ]),
    ),
  },
  {
    why: 'hostile globs in the settings',
    contents: new Map(),
    settings: {
      samples: {
        files: ['../../**', '/etc/*', '**/*.claims.json', '*a'.repeat(100), '{a,b}'.repeat(40)],
      },
      roles: { files: ['../**/*', '/proc/**'] },
      files: ['**'],
      server: { path: './evil.sh' },
      clock: '2026-01-01T00:00:00Z',
    },
  },
  {
    why: 'roles that are alias bombs, malformed or hostile',
    contents: new Map<string, Entry>([
      ['bomb.role.yaml', `kind: ClusterRole\n${aliasBomb(9)}`],
      ['broken.rbac.yaml', 'kind: [ClusterRole\n'],
      [
        'role.yaml',
        stringify({
          kind: 'ClusterRole',
          metadata: { name: markup },
          rules: [{ verbs: ['impersonate'], resources: ['users'], apiGroups: [''] }],
        }),
      ],
    ]),
  },
  {
    why: 'a token in the files themselves',
    contents: new Map<string, Entry>([
      ['token.claims.json', token],
      ['inside.claims.json', JSON.stringify(claims(0, { id_token: token }))],
    ]),
    open: ['authentication.yaml', 'token.claims.json', 'inside.claims.json'],
    secrets: [part('the signature of a token')],
  },
  {
    why: 'a ConfigMap with an alias bomb around it',
    contents: new Map<string, Entry>([
      [
        'authentication.yaml',
        `kind: ConfigMap\n${aliasBomb(9)}data:\n  a: |\n${stringify(base()).replace(/^(?=.)/gm, '    ')}`,
      ],
    ]),
  },
  {
    why: 'files that are not text',
    contents: new Map<string, Entry>([
      ['a.claims.json', '\u0000\u0001\ufffe'],
      ['authentication.yaml', `${stringify(base())}\u0000`],
    ]),
  },
  {
    why: 'expensive expressions',
    contents: new Map<string, Entry>([
      [
        'authentication.yaml',
        stringify(base()).replaceAll(
          'claims.?roles.orValue([])',
          'claims.roles.map(a, claims.roles.map(b, claims.roles.map(c, claims.roles.map(d, a+b+c+d)))).map(x, "x")',
        ),
      ],
      ...['a', 'b', 'c', 'd'].map((name, index): [string, Entry] => [
        `${name}.claims.json`,
        JSON.stringify(claims(index, { roles: Array.from({ length: 300 }, (_, at) => `r${at}`) })),
      ]),
    ]),
  },
  {
    why: 'an expression with a pattern that backtracks',
    contents: new Map<string, Entry>([
      [
        'authentication.yaml',
        stringify(base()).replaceAll(
          'claims.?roles.orValue([])',
          'claims.sub.matches("(a+)+$") ? ["x"] : []',
        ),
      ],
      ['a.claims.json', JSON.stringify(claims(0, { sub: `${'a'.repeat(5000)}!` }))],
    ]),
  },
];

/** Returns the cases in addition to the table. */
export const ownCases = (): readonly HostileCase[] =>
  own.map((ownCase, index) => ({
    id: `OWN-${String(index + 1).padStart(3, '0')}`,
    open: ['authentication.yaml', 'a.claims.json'],
    settings: {},
    trusted: true,
    pasted: undefined,
    secrets: [],
    ...ownCase,
    contents: new Map<string, Entry>([
      ['authentication.yaml', stringify(base())],
      ...sampleFiles(),
      ...(ownCase.contents ?? []),
    ]),
  }));
