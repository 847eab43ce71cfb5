/**
 * The bootstrap roles and bindings as API objects: those of kube-apiserver with default feature
 * gates. They are marked by a reserved prefix, labels and an annotation.
 */
import { autoUpdateKey, bootstrappingKey, inDomain, rbacGroup } from '../model/api-domain.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { ObjectView } from '../ports/object-view.ts';
import { withAggregatedRules } from './aggregation.ts';
import { clusterBindingRows, clusterRoleRows } from './bootstrap-cluster-roles.ts';
import { controllerBindingRows, controllerRoleRows } from './bootstrap-controller-roles.ts';
import { namespaceBindingRows, namespaceRoleRows } from './bootstrap-namespace-roles.ts';
import type { BindingRow, RoleRow } from './bootstrap-row.ts';
import { fixedView } from './fixed-view.ts';
import { ruleObject, subjectObject } from './role-objects.ts';

/** Returns the bootstrap objects, roles before bindings; aggregated roles have no rules yet. */
export const bootstrapObjects = (domain: string): readonly JsonObject[] => [
  ...[...clusterRoleRows, ...controllerRoleRows, ...namespaceRoleRows].map((row) =>
    roleOf(row, domain),
  ),
  ...[...clusterBindingRows, ...controllerBindingRows, ...namespaceBindingRows].map((row) =>
    bindingOf(row, domain),
  ),
];

/**
 * Returns a view of the bootstrap objects, with the rules of aggregated roles, for servers without
 * a store.
 */
export const bootstrapView = (domain: string): ObjectView =>
  fixedView(withAggregatedRules(bootstrapObjects(domain)));

const roleOf = (row: RoleRow, domain: string): JsonObject => {
  const { aggregateFrom, aggregateTo, rules } = row;
  const labels: (readonly [string, string])[] =
    aggregateTo === undefined ? [] : [[aggregateKey(aggregateTo, domain), 'true']];
  return new Map<string, Json>([
    ['kind', row.namespace === undefined ? 'ClusterRole' : 'Role'],
    ['apiVersion', `${rbacGroup(domain)}/v1`],
    ['metadata', metadataOf(row, labels, domain)],
    ['rules', aggregateFrom === undefined ? rules.map((text) => ruleOf(text, domain)) : null],
    ...(aggregateFrom === undefined
      ? []
      : [['aggregationRule', aggregationRule(aggregateKey(aggregateFrom, domain))] as const]),
  ]);
};

const aggregateKey = (role: string, domain: string): string =>
  `${rbacGroup(domain)}/aggregate-to-${role}`;

const aggregationRule = (label: string): JsonObject =>
  new Map([['clusterRoleSelectors', [new Map([['matchLabels', new Map([[label, 'true']])]])]]]);

const metadataOf = (
  { name, namespace }: Pick<RoleRow, 'name' | 'namespace'>,
  labels: readonly (readonly [string, string])[],
  domain: string,
): JsonObject =>
  new Map<string, Json>([
    ['name', inDomain(name, domain)],
    ...(namespace === undefined ? [] : [['namespace', namespace] as const]),
    ['labels', new Map([[bootstrappingKey(domain), 'rbac-defaults'], ...labels])],
    ['annotations', new Map([[autoUpdateKey(domain), 'true']])],
  ]);

const ruleOf = (text: string, domain: string): JsonObject => {
  const [verbs = [], second = [], third, names = []] = text
    .split(' ')
    .map((part) => part.split(',').map((word) => inDomain(word, domain)));
  const none: readonly string[] = [];
  return ruleObject({
    verbs,
    apiGroups: third === undefined ? none : second.map((group) => (group === 'core' ? '' : group)),
    resources: third ?? none,
    resourceNames: names,
    nonResourceURLs: third === undefined ? second : none,
  });
};

const bindingOf = (row: BindingRow, domain: string): JsonObject =>
  new Map<string, Json>([
    ['kind', row.namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding'],
    ['apiVersion', `${rbacGroup(domain)}/v1`],
    ['metadata', metadataOf(row, [], domain)],
    ...(row.subjects.length === 0
      ? []
      : [['subjects', row.subjects.map((text) => subjectOf(text, domain))] as const]),
    [
      'roleRef',
      new Map([
        ['apiGroup', rbacGroup(domain)],
        ['kind', row.namespace === undefined ? 'ClusterRole' : 'Role'],
        ['name', inDomain(row.role ?? row.name, domain)],
      ]),
    ],
  ]);

const subjectOf = (text: string, domain: string): JsonObject => {
  const [kind = '', name = ''] = text.split(' ');
  if (kind === 'account') {
    const [namespace = '', account = ''] = name.split('/');
    return subjectObject({ kind: 'ServiceAccount', apiGroup: '', name: account, namespace });
  }
  const shown = kind === 'user' ? 'User' : 'Group';
  return subjectObject({ kind: shown, apiGroup: rbacGroup(domain), name, namespace: '' });
};
