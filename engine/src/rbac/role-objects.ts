/**
 * Roles and bindings as the store holds them, read into plain data. What the store holds was judged
 * when it was written; a member of a wrong type reads as absent here, which never grants anything.
 */
import type { JsonObject } from '../model/json.ts';
import { objectAt, objectsAt, stringAt, stringOf, stringsAt } from '../resources/object-fields.ts';
import type { PolicyRule, Subject } from './policy-rule.ts';

/** A role, of a namespace or of the cluster. */
export interface RoleObject {
  readonly name: string;
  /** Empty of a cluster role. */
  readonly namespace: string;
  readonly rules: readonly PolicyRule[];
}

/** What a binding binds to. */
export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** A binding, of a namespace or of the cluster. */
export interface BindingObject {
  readonly kind: 'ClusterRoleBinding' | 'RoleBinding';
  readonly name: string;
  /** Empty of a cluster role binding. */
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

/** A role as data. */
export const readRole = (object: JsonObject): RoleObject => ({
  ...readName(object),
  rules: readRules(object),
});

/** The rules of a role. */
export const readRules = (object: JsonObject): readonly PolicyRule[] =>
  objectsAt(object, 'rules').map(readRule);

/** One rule. */
export const readRule = (rule: JsonObject): PolicyRule => ({
  verbs: stringsAt(rule, 'verbs'),
  apiGroups: stringsAt(rule, 'apiGroups'),
  resources: stringsAt(rule, 'resources'),
  resourceNames: stringsAt(rule, 'resourceNames'),
  nonResourceURLs: stringsAt(rule, 'nonResourceURLs'),
});

/** A binding as data. */
export const readBinding = (kind: BindingObject['kind'], object: JsonObject): BindingObject => ({
  kind,
  ...readName(object),
  roleRef: readRoleRef(object),
  subjects: objectsAt(object, 'subjects').map(readSubject),
});

/** What the binding binds to. */
export const readRoleRef = (object: JsonObject): RoleRef => ({
  apiGroup: stringAt(object, 'roleRef', 'apiGroup'),
  kind: stringAt(object, 'roleRef', 'kind'),
  name: stringAt(object, 'roleRef', 'name'),
});

const readSubject = (subject: JsonObject): Subject => ({
  kind: stringAt(subject, 'kind'),
  apiGroup: stringAt(subject, 'apiGroup'),
  name: stringAt(subject, 'name'),
  namespace: stringAt(subject, 'namespace'),
});

/** A rule as the API writes it: lists that say nothing are left out, the verbs alone always stand. */
export const ruleObject = (rule: PolicyRule): JsonObject => {
  const members: (readonly [string, readonly string[]])[] = [
    ['verbs', rule.verbs],
    ['apiGroups', rule.apiGroups],
    ['resources', rule.resources],
    ['resourceNames', rule.resourceNames],
    ['nonResourceURLs', rule.nonResourceURLs],
  ];
  return new Map(members.filter(([name, list]) => name === 'verbs' || list.length > 0));
};

/** A subject as the API writes it. */
export const subjectObject = ({ kind, apiGroup, name, namespace }: Subject): JsonObject =>
  new Map([
    ['kind', kind],
    ...(apiGroup === '' ? [] : [['apiGroup', apiGroup] as const]),
    ['name', name],
    ...(namespace === '' ? [] : [['namespace', namespace] as const]),
  ]);

/** Labels or annotations. */
export const stringMapAt = (
  object: JsonObject,
  member: 'labels' | 'annotations',
): ReadonlyMap<string, string> => {
  const strings = objectAt(object, 'metadata', member);
  return new Map([...strings].map(([name, value]) => [name, stringOf(value)]));
};

/** Name and namespace. */
export const readName = (
  object: JsonObject,
): { readonly name: string; readonly namespace: string } => ({
  name: stringAt(object, 'metadata', 'name'),
  namespace: stringAt(object, 'metadata', 'namespace'),
});
