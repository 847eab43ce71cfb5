/** Manifests of `--rbac-file`: what is accepted, and the position of each error. */
import { describe, expect, test } from 'vitest';
import { fileRoles, formatManifestProblem } from '../../../engine/src/rbac/file-roles.ts';
import { readRoleManifests } from '../../../engine/src/rbac/role-manifests.ts';
import { stringAt } from '../../../engine/src/resources/object-fields.ts';

const names = (text: string) => {
  const { objects, problems } = readRoleManifests('r.yaml', text);
  expect(problems).toEqual([]);
  return objects.map(
    (object) => `${stringAt(object, 'kind')} ${stringAt(object, 'metadata', 'name')}`,
  );
};
const problems = (text: string) =>
  readRoleManifests('r.yaml', text).problems.map(formatManifestProblem);

const role = (name: string) =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: ${name}}\nrules: []\n`;

describe('accepts', () => {
  test.each([
    ['one document', role('a'), ['ClusterRole a']],
    [
      'several with empty ones in between',
      `---\n${role('a')}---\n# nothing\n---\n${role('b')}`,
      ['ClusterRole a', 'ClusterRole b'],
    ],
    ['the other domain', role('a').replace('k8s.io', 'platform.io'), ['ClusterRole a']],
    [
      'a list in JSON',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: [
          {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'Role',
            metadata: { name: 'r', namespace: 'n' },
            rules: [],
          },
        ],
      }),
      ['Role r'],
    ],
    [
      'a list of one kind',
      `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleList\nitems:\n- ${role('a').trim().replaceAll('\n', '\n  ')}\n`,
      ['ClusterRole a'],
    ],
    ['an empty file', '', []],
  ])('%s', (_, text, expected) => {
    expect(names(text)).toEqual(expected);
  });
});

describe('rejects', () => {
  test.each([
    [
      'another kind',
      'apiVersion: v1\nkind: Secret\n',
      [
        'r.yaml:1:1: expected a Role, ClusterRole, RoleBinding or ClusterRoleBinding, found "Secret" of "v1"',
      ],
    ],
    ['not an object', '- a\n', ['r.yaml:1:1: must be an object']],
    ['an unknown field', `---\n${role('a')}rule: []\n`, ['r.yaml:6:1: unknown field "rule"']],
    ['a wrong type', role('[x]'), ['r.yaml:3:18: metadata.name must be a string']],
    [
      'a duplicate field',
      `${role('a')}rules: []\n`,
      ['r.yaml:5:1: line 5: key "rules" already set in map'],
    ],
    [
      'a duplicate object',
      `${role('a')}---\n${role('a')}`,
      ['r.yaml:6:1: ClusterRole "a" is already defined on line 1'],
    ],
    [
      'a namespace of a cluster-scoped object',
      role('a, namespace: team'),
      ['r.yaml:3:32: metadata.namespace: Forbidden: not allowed on this type'],
    ],
    [
      'a missing namespace',
      role('a').replace('ClusterRole', 'Role'),
      ['r.yaml:3:11: metadata.namespace: Required value'],
    ],
    [
      'rules of the API',
      role('a').replace('rules: []', 'rules:\n- {apiGroups: [""], resources: [pods]}'),
      ['r.yaml:5:3: rules[0].verbs: Required value: verbs must contain at least one value'],
    ],
    [
      'broken YAML in the second document',
      `${role('a')}---\nb: [\n`,
      [expect.stringMatching(/^r\.yaml:\d+:\d+: yaml: /)],
    ],
    ['too many documents', '---\na: 1\n'.repeat(1001), ['r.yaml:1:1: more than 1000 documents']],
  ])('%s', (_, text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  test('rejects hostile files without an exception, within the timeout of the test', () => {
    const texts = [
      '---\n'.repeat(500_000),
      '['.repeat(100_000),
      '{'.repeat(100_000),
      `${role('a')}${'- '.repeat(50_000)}`,
      'a: &a [*a, *a]\n',
      '\u0000',
      `apiVersion: v1\nkind: List\nitems: {}\n`,
      `apiVersion: v1\nkind: List\nitems: [null, 1, [], {}]\n`,
      '{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"__proto__","labels":{"__proto__":"x"}},"rules":[{"__proto__":1}]}',
    ];
    for (const text of texts) {
      const { objects } = readRoleManifests('r.yaml', text);
      expect(objects).toEqual([]);
    }
  });

  test('applies no file if one is invalid', () => {
    const files = [
      { name: 'good.yaml', text: role('a') },
      { name: 'bad.yaml', text: 'x' },
    ];
    expect(fileRoles(files, { bootstrapRolesFrom: 'store', domain: 'k8s.io' })).toMatchObject({
      kind: 'problems',
      problems: [{ file: 'bad.yaml', line: 1 }],
    });
  });
});
