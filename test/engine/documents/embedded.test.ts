/** Which files contain configurations, and which files they refer to. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findConfigurations } from '../../../engine/src/documents/embedded/find-configurations.ts';
import { referencedFiles } from '../../../engine/src/documents/embedded/referenced-files.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';

const found = (text: string, isDeclared = false): readonly string[] =>
  findConfigurations(sourceFile('f', text), { isDeclared }).map(({ source }) => source.text);

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';

test.each([
  ['plain', head],
  ['the other domain', head.replace('k8s.io', 'platform.io')],
  ['kind far below', `jwt: []\n${'# x\n'.repeat(2000)}kind: AuthenticationConfiguration\n`],
  [
    'quoted',
    `"apiVersion": 'apiserver.config.k8s.io/v1'\n'kind': "AuthenticationConfiguration" # x\n`,
  ],
  ['indented', head.replaceAll(/^/gm, '  ').trimEnd()],
  ['JSON', '{"kind": "AuthenticationConfiguration", "apiVersion": "apiserver.config.k8s.io/v1"}'],
  ['flow', '--- {kind: AuthenticationConfiguration}\n'],
  ['a comment and a marker first', `# x\n\n--- # y\n${head}`],
  ['a directive first', `%YAML 1.1\n---\n${head}`],
  ['CRLF', head.replaceAll('\n', '\r\n')],
  ['a wrong version', head.replace('apiserver.config.k8s.io/v1', 'v1')],
  ['a misspelled group', head.replace('apiserver.config', 'apisever.config')],
  ['no version', 'kind: AuthenticationConfiguration\n'],
  ['kind half-written', 'apiVersion: apiserver.config.k8s.io/v1\nkind: Authen\n'],
  [
    'a misspelled kind',
    'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfigration\n',
  ],
  ['kind empty', 'apiVersion: apiserver.config.k8s.io/v1\nkind:\n'],
  ['no kind', 'apiVersion: apiserver.config.k8s.io/v1\n'],
  ['broken below', `${head}jwt: [\n`],
  ['several documents, a configuration first', `${head}---\nkind: ConfigMap\n---\n${head}`],
])('the whole file: %s', (_, text) => {
  expect(found(text)).toEqual([text]);
});

test.each([
  ['empty', ''],
  [
    'another kind of the group',
    'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n',
  ],
  ['another group', 'apiVersion: example.com/v1\nkind: AuthenticationConfiguration\n'],
  ['OpenShift', 'apiVersion: config.openshift.io/v1\nkind: Authentication\n'],
  ['deeper', `spec:\n  kind: AuthenticationConfiguration\n`],
  ['a list', `- kind: AuthenticationConfiguration\n`],
  ['prose', `about: |\n  Write an AuthenticationConfiguration.\n  kind: is a field\n`],
  ['a comment', `# kind: AuthenticationConfiguration\nkind: Pod\n`],
])('none: %s', (_, text) => {
  expect(found(text)).toEqual([]);
});

test('an expected configuration is one regardless of its content', () => {
  expect(found('', true)).toEqual(['']);
  expect(found('jwt:\n', true)).toEqual(['jwt:\n']);
  const map = `kind: ConfigMap\ndata:\n  a: |\n    ${head.replaceAll('\n', '\n    ')}\n`;
  expect(found(map, true)[0]?.trim()).toBe(head.trim());
});

test.each([
  ['documents', `kind: A\n---\n${head}---\nkind: B\n...\n---\n${head}jwt: []\n`, 2],
  [
    'values',
    `kind: ConfigMap\ndata:\n  a: ${JSON.stringify(head)}\n  b: ${JSON.stringify(head)}\n`,
    2,
  ],
  [
    'values of a list',
    `kind: List\nitems:\n- kind: ConfigMap\n  data: {a: ${JSON.stringify(head)}}\n`,
    1,
  ],
  ['an alias counts once', `data:\n  a: &a ${JSON.stringify(head)}\n  b: *a\n`, 1],
  ['in a broken file', `data:\n  a: ${JSON.stringify(head)}\n  b: [\n`, 1],
  [
    'cloud-init',
    `#cloud-config\nwrite_files:\n- path: /etc/a.yaml\n  content: |\n    ${head.replaceAll('\n', '\n    ')}\n`,
    1,
  ],
  [
    'many',
    `data:\n${Array.from({ length: 80 }, (_, at) => `  k${at}: ${JSON.stringify(head)}\n`).join('')}`,
    50,
  ],
])('embedded: %s', (_, text, count) => {
  expect(found(text)).toHaveLength(count);
});

/** Formats references as `path at "text"`, with the content if the same file has it. */
const references = (text: string): readonly string[] =>
  referencedFiles(sourceFile('f', text)).map(({ span, path, content }) =>
    [
      `${path} at ${JSON.stringify(text.slice(span.start, span.end))}`,
      ...(content === undefined ? [] : [JSON.stringify(text.slice(content.start, content.end))]),
    ].join(' = '),
  );

test.each([
  [
    'kubeadm v1beta3',
    'kind: ClusterConfiguration\napiServer:\n  extraArgs:\n    authentication-config: /etc/kubernetes/auth.yaml\n  extraVolumes:\n  - name: a\n    hostPath: ./auth.yaml\n    mountPath: /etc/kubernetes/auth.yaml\n',
    ['./auth.yaml at "/etc/kubernetes/auth.yaml"'],
  ],
  [
    'kubeadm v1beta4',
    'apiServer:\n  extraArgs:\n  - name: authentication-config\n    value: "/etc/auth/a.yaml"\n  extraVolumes:\n  - {name: a, hostPath: /opt/auth/, mountPath: /etc/auth}\n',
    ['/opt/auth/a.yaml at "/etc/auth/a.yaml"'],
  ],
  [
    'kind',
    'kind: Cluster\nnodes:\n- role: control-plane\n  extraMounts:\n  - hostPath: ./config/auth.yaml\n    containerPath: /files/auth.yaml\n  kubeadmConfigPatches:\n  - |\n    kind: ClusterConfiguration\n    apiServer:\n      extraArgs:\n        authentication-config: /etc/kubernetes/auth.yaml\n      extraVolumes:\n      - name: auth\n        hostPath: /files\n        mountPath: /etc/kubernetes\n',
    ['./config/auth.yaml at "/etc/kubernetes/auth.yaml"'],
  ],
  [
    'k3s',
    'kube-apiserver-arg:\n- "authentication-config=/etc/rancher/k3s/auth.yaml"\n- v=2\n',
    ['/etc/rancher/k3s/auth.yaml at "/etc/rancher/k3s/auth.yaml"'],
  ],
  [
    'RKE2 with a mount',
    'kube-apiserver-arg: authentication-config=/auth/a.yaml\nkube-apiserver-extra-mount:\n- /etc/rancher/rke2/auth:/auth:ro\n',
    ['/etc/rancher/rke2/auth/a.yaml at "/auth/a.yaml"'],
  ],
  [
    'a static pod',
    'kind: Pod\nspec:\n  containers:\n  - command:\n    - kube-apiserver\n    - --authentication-config=/etc/a.yaml\n    volumeMounts:\n    - {name: a, mountPath: /etc/a.yaml}\n  volumes:\n  - name: a\n    hostPath: {path: /opt/a.yaml}\n',
    ['/opt/a.yaml at "/etc/a.yaml"'],
  ],
  [
    'content in the same file',
    'files:\n- path: /etc/a.yaml\n  content: "kind: x"\nextraArgs: {authentication-config: /etc/a.yaml}\n',
    ['/etc/a.yaml at "/etc/a.yaml" = "\\"kind: x\\""'],
  ],
  [
    'cyclic mounts',
    'authentication-config: /a/x\nm:\n- {hostPath: /b, mountPath: /a}\n- {hostPath: /a, mountPath: /b}\n',
    ['/a/x at "/a/x"'],
  ],
  ['another flag', 'kube-apiserver-arg: [authorization-config=/a]\n', []],
  ['a comment', '# --authentication-config=/a\na: b\n', []],
])('referenced file: %s', (_, text, expected) => {
  expect(references(text)).toEqual(expected);
});

const pieces = [
  head,
  'kind: ConfigMap\n',
  'data:\n  a: |\n    ',
  'a: >-\n  ',
  '- path: /a\n  content: "',
  '--authentication-config=/a',
  'authentication-config: ',
  'hostPath: /a\nmountPath: /b\n',
  '---\n',
  '...\n',
  '\n',
  '\r\n',
  '\r',
  '\t',
  '  ',
  '"',
  "'",
  '{',
  '}',
  '[',
  '&a ',
  '*a',
  '!!str ',
  '|2-\n',
  '%YAML 1.1\n',
  '# ',
  '\ud835',
  '\u0000',
  '𝒳',
];

test('no text throws, and every position is inside of the file', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 24 }), (chosen) => {
      const text = chosen.join('');
      const file = sourceFile('f', text);
      for (const nested of findConfigurations(file, { isDeclared: false })) {
        const { length } = nested.source.text;
        for (const at of [0, length >> 1, length]) {
          const { start, end } = nested.toFile({ start: at, end: length });
          expect([start >= 0, start <= end, end <= text.length]).toEqual([true, true, true]);
          const edit = nested.editOfFile({ span: { start: at, end: length }, newText: 'x\n' });
          expect(edit.span.end).toBeLessThanOrEqual(text.length);
        }
      }
      for (const { span } of referencedFiles(file))
        expect(span.end).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['the whole file', head, [undefined]],
  ['documents', `kind: Other\n---\n${head}---\n${head}`, [undefined, undefined]],
  [
    'values of ConfigMaps, in YAML',
    ['one', 'two']
      .map(
        (name) =>
          `kind: ConfigMap\nmetadata: {name: ${name}, namespace: kube-system}\ndata:\n  a.yaml: ${JSON.stringify(head)}\n`,
      )
      .join('---\n'),
    ['kube-system/one · a.yaml', 'kube-system/two · a.yaml'],
  ],
  [
    'items of a list, in JSON',
    JSON.stringify({
      kind: 'List',
      items: [{ kind: 'ConfigMap', metadata: { name: 'one' }, data: { a: head, b: head } }],
    }),
    ['one · a', 'one · b'],
  ],
  [
    'a file that cloud-init writes',
    `#cloud-config\nwrite_files:\n- path: /etc/a.yaml\n  content: ${JSON.stringify(head)}\n`,
    ['write_files[0].content'],
  ],
  [
    'an object without a name',
    `kind: ConfigMap\ndata: {a: ${JSON.stringify(head)}}\n`,
    ['ConfigMap · a'],
  ],
])('the name of a configuration: %s', (_, text, names) => {
  const all = findConfigurations(sourceFile('f', text), { isDeclared: false });
  expect(all.map(({ name }) => name)).toEqual(names);
});
