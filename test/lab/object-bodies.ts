/** Generates objects and patches, mostly valid ones, others invalid in one of many small ways. */
import type { SeededRandom } from './seeded-random.ts';

/** A kind whose objects are generated. */
export interface GeneratedKind {
  readonly plural: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly base: string;
  readonly isNamespaced: boolean;
}

const roles = 'rbac.authorization.k8s.io/v1';
const rolesGroup = 'rbac.authorization.k8s.io';

const generatedKind = (plural: string, kind: string, isNamespaced = true): GeneratedKind => {
  const apiVersion = /role/.test(plural) ? roles : 'v1';
  const base = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  return { plural, kind, apiVersion, base, isNamespaced };
};

/** Some kinds appear twice: they have more that can be invalid. */
export const generatedKinds: readonly GeneratedKind[] = [
  generatedKind('serviceaccounts', 'ServiceAccount'),
  generatedKind('serviceaccounts', 'ServiceAccount'),
  generatedKind('secrets', 'Secret'),
  generatedKind('secrets', 'Secret'),
  generatedKind('roles', 'Role'),
  generatedKind('rolebindings', 'RoleBinding'),
  generatedKind('clusterroles', 'ClusterRole', false),
  generatedKind('clusterrolebindings', 'ClusterRoleBinding', false),
  generatedKind('namespaces', 'Namespace', false),
];

/** The names of most objects. */
export const usualNames = ['fa', 'fb', 'fc', 'fd', 'f.e'];

type Fields = Record<string, unknown>;

/** Bodies that are generated from one sequence of random numbers. */
export interface ObjectBodies {
  object(kind: GeneratedKind, name: string, namespace: string): Fields & { metadata: Fields };
  jsonPatch(): unknown;
  mergePatch(kind: GeneratedKind): Fields;
  strategicPatch(kind: GeneratedKind): Fields;
}

export const objectBodies = ({ pick, indexes, chance }: SeededRandom): ObjectBodies => {
  const unlessAbsent = (name: string, value: unknown): Fields =>
    value === undefined ? {} : { [name]: value };

  const metadata = (kind: GeneratedKind, name: string, namespace: string): Fields => ({
    name,
    ...(kind.isNamespaced && chance(0.4) ? { namespace: chance(0.9) ? namespace : 'other' } : {}),
    ...unlessAbsent('labels', pick(labels)),
    ...unlessAbsent('annotations', pick(annotations)),
    ...unusualMetadata(),
  });
  const unusualMetadata = (): Fields => {
    const unusual: Fields = {};
    for (const [probability, name, values] of unusualFields)
      if (chance(probability)) unusual[name] = pick(values);
    if (chance(0.02)) unusual[pick(['nope', 'Name', 'LABELS', 'clusterName'])] = pick(['x', 1, {}]);
    return unusual;
  };

  const rule = (): Fields => ({
    ...(chance(0.9) ? { verbs: pick(verbs) } : {}),
    ...(chance(0.85) ? { apiGroups: pick(apiGroups), resources: pick(resources) } : {}),
    ...(chance(0.12) ? { resourceNames: pick([['fa'], [], ['a', 'b'], ['']]) } : {}),
    ...(chance(0.12) ? { nonResourceURLs: pick(urls) } : {}),
    ...(chance(0.03) ? { [pick(['nope', 'Verbs'])]: ['x'] } : {}),
  });

  const kindFields = ({ plural }: GeneratedKind): Fields => {
    if (plural === 'serviceaccounts') {
      return {
        ...(chance(0.3) ? { secrets: pick(accountSecrets) } : {}),
        ...(chance(0.3) ? { imagePullSecrets: pick(pullSecrets) } : {}),
        ...(chance(0.3)
          ? { automountServiceAccountToken: pick([true, false, null, 'true', 1]) }
          : {}),
      };
    }
    if (plural === 'secrets') {
      return {
        type: pick([
          ...three('bootstrap.kubernetes.io/token'),
          'kubernetes.io/service-account-token',
        ]),
        ...(chance(0.6) ? { data: pick(secretData) } : {}),
        ...(chance(0.3) ? { stringData: pick(stringData) } : {}),
        ...(chance(0.15) ? { immutable: pick([true, false, null]) } : {}),
      };
    }
    if (plural === 'roles' || plural === 'clusterroles') {
      if (plural === 'clusterroles' && chance(0.12))
        return { aggregationRule: pick(aggregationRules) };
      return chance(0.9)
        ? { rules: pick<unknown>([indexes(2).map(rule), [rule()], null, []]) }
        : {};
    }
    if (plural.endsWith('bindings')) {
      return {
        ...(chance(0.95) ? { roleRef: pick(roleRefs) } : {}),
        ...(chance(0.9) ? { subjects: indexes(2).map(() => pick(subjects)) } : {}),
      };
    }
    return chance(0.2) ? { spec: pick(namespaceSpecs) } : {};
  };
  const fields = (kind: GeneratedKind): Fields => ({
    ...kindFields(kind),
    ...(chance(0.05)
      ? { [pick(['nope', 'Type', 'metadata2', 'status'])]: pick(['x', {}, 1, { a: [{ b: 1 }] }]) }
      : {}),
  });

  const mergePatch = (kind: GeneratedKind): Fields => ({
    ...(chance(0.6) ? { metadata: pick(patchedMetadata) } : {}),
    ...(chance(0.6) ? fields(kind) : {}),
    ...(chance(0.05) ? { kind: pick(['X', kind.kind]) } : {}),
    ...(chance(0.05) ? { apiVersion: pick(['v9', kind.apiVersion]) } : {}),
  });

  const items = (): unknown =>
    chance(0.9) ? indexes(3).map(() => pick(directiveItems)) : pick([5, null, {}, 'x']);
  const retainKeys = (): unknown =>
    chance(0.9) ? indexes(6).map(() => pick(retainedKeys)) : pick([5, null, {}]);
  /**
   * Generates the directive for merging a list, sometimes with the list, and nothing else:
   * kube-apiserver processes members in random order and stops at the first error.
   */
  const listDirective = (): Fields => {
    const inMetadata = chance(0.4);
    const field = pick(inMetadata ? metadataLists : listFields);
    const directive = pick(listDirectives);
    const patch: Fields = { [`${directive}/${field}`]: items() };
    if (directive !== '$deleteFromPrimitiveList' && chance(0.5)) patch[field] = items();
    return inMetadata ? { metadata: patch } : patch;
  };

  return {
    object: (kind, name, namespace) => ({
      apiVersion: chance(0.96) ? kind.apiVersion : pick(wrongVersions),
      kind: chance(0.97) ? kind.kind : pick(['Secret', '', 'secret', 'List']),
      metadata: metadata(kind, name, namespace),
      ...fields(kind),
    }),
    jsonPatch: () =>
      indexes(3).map(() =>
        chance(0.2)
          ? { op: 'add', path: pick(rulePaths), value: rule() }
          : chance(0.05)
            ? { op: 'add', path: '/subjects/-', value: pick(subjects) }
            : pick<unknown>(operations),
      ),
    mergePatch,
    strategicPatch: (kind) =>
      chance(0.5)
        ? { ...listDirective(), ...(chance(0.2) ? { $retainKeys: retainKeys() } : {}) }
        : { ...mergePatch(kind), ...(chance(0.6) ? pick<Fields>(directives) : {}) },
  };
};

const three = (text: string): readonly string[] => [text, text, text];

const labels: readonly unknown[] = [
  ...[undefined, undefined, {}, { a: 'b' }, { a: 'c', 'x.y/z': '1' }, { a: '' }],
  ...[{ 'bad key!': 'x' }, { a: 'bad value!' }, { ['a'.repeat(64)]: 'b' }, { a: null }, { a: 1 }],
  ...[{ '/x': 'y' }, { 'X/y': 'z' }],
];

const annotations: readonly unknown[] = [
  ...[undefined, undefined, undefined, { n: 'v' }, { 'a.b/c': 'anything ✓' }],
  ...[{ 'bad key!': '' }, { n: 5 }, {}],
];

const pod = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };

const owners: readonly unknown[] = [
  [pod],
  [{ apiVersion: 'v1', kind: 'Pod', name: 'p' }],
  [{}],
  [{ ...pod, kind: 'Event' }],
  [
    { ...pod, controller: true },
    { ...pod, name: 'q', uid: 'v', controller: true },
  ],
  [{ apiVersion: 'a/b/c', kind: '', name: '', uid: '' }],
  [{ ...pod, blockOwnerDeletion: true }],
];

const finalizers: readonly unknown[] = [
  ...[['example.com/f'], ['bad'], [], ['a b/c'], ['kubernetes']],
  ...[['foregroundDeletion', 'orphan'], ['foregroundDeletion']],
];

/** Probability, field name and possible values. */
const unusualFields: readonly (readonly [number, string, readonly unknown[]])[] = [
  [0.03, 'finalizers', finalizers],
  [0.04, 'ownerReferences', owners],
  [0.03, 'generateName', ['g-', 'G_', '', 'x'.repeat(70)]],
  [0.03, 'uid', ['given-uid']],
  [0.03, 'creationTimestamp', ['2020-01-01T00:00:00Z', null, 'bad']],
  [0.03, 'generation', [5, -1]],
  [0.03, 'selfLink', ['/x']],
  [0.02, 'managedFields', [[], [{ manager: 'x' }], 5, null]],
  [0.03, 'resourceVersion', ['', '0', '5', 'x']],
];

const verbs = [
  ...[['get'], ['get', 'list', 'watch'], ['*'], ['impersonate'], [], ['get', 'get'], ['']],
  ...[['escalate'], ['create', 'bind']],
];
const apiGroups = [
  ...[[''], [''], ['*'], [rolesGroup], [], ['authentication.k8s.io'], ['apps', '']],
];
const resources = [
  ...[['secrets'], ['serviceaccounts', 'pods'], ['*'], ['users'], [], ['userextras/scopes']],
  ...[['pods/log', 'pods'], ['serviceaccounts/token']],
];
const urls = [['/healthz'], ['*'], ['/api/*'], [], ['bad'], ['/a*b']];

const accountSecrets: readonly unknown[] = [
  [{ name: 'fa' }],
  [{ name: 'fa' }, { name: 'fb', namespace: 'x', kind: 'Secret' }],
  ...[[], [{}], 5],
  [{ name: 'fa' }, { name: 'fa' }],
];
const pullSecrets: readonly unknown[] = [
  ...[[{ name: 'p' }], [], [{ name: 'p' }, { name: 'q' }], [{}], [{ name: 'p', x: 1 }]],
];

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const secretData: readonly unknown[] = [
  ...[{ a: base64('x') }, {}, { 'token-id': base64('abcdef') }, { 'bad key!': base64('x') }],
  ...[{ a: 'not base64!' }, { a: null }, { a: 5 }, { '..': base64('x') }, { '.': '' }],
  ...[{ 'a/b': '' }, { ['k'.repeat(254)]: '' }, { a: 'eA' }, { a: 'eA==\n' }],
];
const stringData: readonly unknown[] = [
  ...[{ b: 'y' }, { a: 'z' }, { 'bad key!': 'v' }, {}, { a: 5 }, { é: 'x' }],
];

const aggregated = (...clusterRoleSelectors: readonly unknown[]): unknown => ({
  clusterRoleSelectors,
});
const chosen = (...matchExpressions: readonly unknown[]): unknown =>
  aggregated({ matchExpressions });
/** Valid rules select nothing, since only a controller manager fills in what they select. */
const aggregationRules: readonly unknown[] = [
  aggregated({ matchLabels: { never: 'there' } }),
  {},
  aggregated(),
  aggregated({ matchLabels: { 'bad key!': 'b' } }),
  chosen({ key: 'never', operator: 'In', values: ['b'] }),
  chosen({ key: 'a', operator: 'Foo' }),
  chosen({ key: 'a', operator: 'In', values: [] }),
  chosen({ key: 'a', operator: 'Exists', values: ['x'] }),
];

const role = (kind: string, name: string, apiGroup = rolesGroup): unknown => ({
  apiGroup,
  kind,
  name,
});
const roleRefs: readonly unknown[] = [
  ...['fa', 'fb', 'cluster-admin', 'system:basic-user', 'absent', 'system:discovery'].map((name) =>
    role('ClusterRole', name),
  ),
  ...usualNames.map((name) => role('Role', name)),
  ...[role('Foo', 'fa'), role('Role', ''), role('Role', 'a/b'), role('Role', 'fa', '')],
  ...[role('Role', 'fa', 'x'), { kind: 'ClusterRole', name: 'fa' }, {}],
];

const subjects: readonly unknown[] = [
  { kind: 'User', name: 'alice' },
  { kind: 'User', apiGroup: rolesGroup, name: 'alice' },
  { kind: 'Group', apiGroup: rolesGroup, name: 'dev' },
  { kind: 'ServiceAccount', name: 'fa', namespace: 'fz1' },
  { kind: 'ServiceAccount', name: 'fa' },
  { kind: 'ServiceAccount', name: 'Bad_', namespace: 'fz1' },
  { kind: 'ServiceAccount', apiGroup: rolesGroup, name: 'fa', namespace: 'fz1' },
  { kind: 'ServiceAccount', apiGroup: '', name: 'fa', namespace: 'fz2' },
  { kind: 'User', name: '' },
  { kind: 'Foo', name: 'x' },
  { kind: 'User', apiGroup: 'x', name: 'y' },
  { kind: 'User', name: 'alice', namespace: 'fz1' },
  {},
];

const namespaceSpecs: readonly unknown[] = [
  ...[['kubernetes'], ['a b'], ['example.com/x'], ['x']].map((finalizers) => ({ finalizers })),
  {},
];

const wrongVersions = ['v2', '', 'v1', 'rbac.authorization.k8s.io/v1beta1', roles];

const rulePaths = ['/rules/-', '/rules/0', '/rules/9', '/rules/-1', '/rules/01'];

const operations: readonly Fields[] = [
  { op: 'add', path: '/metadata/labels', value: { a: 'b' } },
  { op: 'add', path: '/metadata/labels/q', value: 'r' },
  { op: 'add', path: '/metadata/labels/a~1b', value: 'c' },
  { op: 'add', path: '/metadata/labels/a~2b', value: 'c' },
  { op: 'add', path: '/metadata/labels' },
  { op: 'add', path: '/secrets', value: [{ name: 's' }] },
  { op: 'add', path: 'x', value: 1 },
  { op: 'remove', path: '/metadata/labels/a' },
  { op: 'remove', path: '/metadata/resourceVersion' },
  { op: 'remove', path: '/rules/0' },
  { op: 'remove', path: '/nope' },
  { op: 'replace', path: '/metadata/labels/a', value: 'z' },
  { op: 'replace', path: '/metadata/name', value: 'zz' },
  { op: 'replace', path: '/metadata/uid', value: 'zz' },
  { op: 'replace', path: '/kind', value: 'X' },
  { op: 'replace', path: '', value: {} },
  { op: 'test', path: '/metadata/name', value: 'fa' },
  { op: 'test', path: '/metadata/labels/a', value: 'b' },
  { op: 'test', path: '/metadata/nope', value: null },
  { op: 'copy', from: '/metadata/name', path: '/metadata/annotations/x' },
  { op: 'copy', from: '/nope', path: '/metadata/labels/x' },
  { op: 'move', from: '/metadata/labels/a', path: '/metadata/labels/b' },
  { op: 'foo', path: '/x' },
  { path: '/x' },
];

const patchedMetadata: readonly unknown[] = [
  ...[{ labels: { a: 'b' } }, { labels: { a: null } }, { labels: null }, { labels: 5 }],
  ...[{ labels: { 'bad key!': 'x' } }, { annotations: { x: 'y' } }, { name: 'zz' }, { uid: 'zz' }],
  ...[{ resourceVersion: '1' }, { resourceVersion: null }, { nope: 1 }, null, { generation: 9 }],
  ...[{ finalizers: null }, { finalizers: [] }, { creationTimestamp: null }],
  ...[{ namespace: 'other' }, { deletionTimestamp: '2020-01-01T00:00:00Z' }],
  { ownerReferences: [pod] },
];

const directives: readonly Fields[] = [
  ...['replace', 'delete', 'merge', 'foo', 5, null, {}].map(($patch) => ({ $patch })),
  { metadata: { labels: { $patch: 'replace', q: 'r' } } },
  { metadata: { labels: { $patch: 'delete' } } },
  { metadata: { labels: ['x'] } },
  { metadata: { labels: { $retainKeys: ['a'] } } },
  { metadata: { $retainKeys: ['name'] } },
  { metadata: { finalizers: ['example.com/g'] } },
  { metadata: { ownerReferences: [{ uid: 'u', $patch: 'delete' }] } },
  { secrets: [{ $patch: 'delete', name: 'fa' }] },
  { secrets: [{ $patch: 'delete' }] },
  { secrets: [{ name: 'n1' }], '$setElementOrder/secrets': [{ name: 'n1' }, { name: 'fa' }] },
  { secrets: [{ name: 'n1' }, { name: 'n2' }], '$setElementOrder/secrets': [{ name: 'n2' }] },
  { secrets: [{ $patch: 'replace' }, { name: 'z' }] },
  { secrets: [{ name: 'z', $patch: 'merge' }] },
  { secrets: [{ namespace: 'nokey' }] },
  { secrets: [{ name: 'z' }, { name: 'z', namespace: null }] },
  { secrets: 'x' },
  { imagePullSecrets: [{ name: 'z' }] },
  { rules: [{ verbs: ['x'], apiGroups: [''], resources: ['y'] }] },
  { data: { a: null } },
];

const listDirectives = ['$setElementOrder', '$deleteFromPrimitiveList', '$setElementOrderx'];
const listFields = [
  ...['secrets', 'secrets', 'imagePullSecrets', 'Secrets', 'rules', 'subjects', 'data', 'nope'],
  ...['metadata', 'immutable', 'aggregationRule', ''],
];
const metadataLists = ['finalizers', 'finalizers', 'ownerReferences', 'labels', 'nope'];

const directiveItems: readonly unknown[] = [
  ...[{ name: 'fa' }, { name: 'fa' }, { name: 'n1' }, { namespace: 'nokey' }, {}, 'x', 5, null],
  ...['example.com/f', 'example.com/f', 'example.com/g', { uid: 'u' }, { uid: 'v' }, ['x']],
  ...[{ name: {} }, { $patch: 'delete', name: 'fa' }, { $patch: 'replace' }, { $patch: 'foo' }],
];
const retainedKeys: readonly unknown[] = [
  ...['metadata', 'metadata', 'secrets', 'imagePullSecrets', 'rules', 'type', 'data', 'nope', 5],
  ...[null, {}],
];
