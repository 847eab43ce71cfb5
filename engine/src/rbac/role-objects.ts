/**
 * Converts stored roles and bindings to plain data. Stored objects were validated when they were
 * written; a member of the wrong type is treated as absent here, which never grants anything.
 */
import type { JsonObject } from '../model/json.ts';
import { objectAt, objectsAt, stringAt, stringOf, stringsAt } from '../resources/object-fields.ts';
import type { PolicyRule, Subject } from './policy-rule.ts';

/** The role that a binding references. */
export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** A RoleBinding or ClusterRoleBinding. */
export interface BindingObject {
  readonly kind: 'ClusterRoleBinding' | 'RoleBinding';
  readonly name: string;
  /** Namespace of a RoleBinding; empty for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

/** Reads the rules of a role. */
export const readRules = (object: JsonObject): readonly PolicyRule[] =>
  objectsAt(object, 'rules').map(readRule);

/** Reads a single rule. */
export const readRule = (rule: JsonObject): PolicyRule => ({
  verbs: stringsAt(rule, 'verbs'),
  apiGroups: stringsAt(rule, 'apiGroups'),
  resources: stringsAt(rule, 'resources'),
  resourceNames: stringsAt(rule, 'resourceNames'),
  nonResourceURLs: stringsAt(rule, 'nonResourceURLs'),
});

/** Reads a binding. */
export const readBinding = (kind: BindingObject['kind'], object: JsonObject): BindingObject => ({
  kind,
  ...readName(object),
  roleRef: readRoleRef(object),
  subjects: objectsAt(object, 'subjects').map(readSubject),
});

/** Reads the role reference of a binding. */
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

/** Returns a rule in the form of the API, which omits empty lists except for the verbs. */
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

/** Returns a subject in the form of the API. */
export const subjectObject = ({ kind, apiGroup, name, namespace }: Subject): JsonObject =>
  new Map([
    ['kind', kind],
    ...(apiGroup === '' ? [] : [['apiGroup', apiGroup] as const]),
    ['name', name],
    ...(namespace === '' ? [] : [['namespace', namespace] as const]),
  ]);

/** Returns the labels or annotations of an object. */
export const stringMapAt = (
  object: JsonObject,
  member: 'labels' | 'annotations',
): ReadonlyMap<string, string> => {
  const strings = objectAt(object, 'metadata', member);
  return new Map([...strings].map(([name, value]) => [name, stringOf(value)]));
};

/** Returns the name and namespace of an object. */
export const readName = (
  object: JsonObject,
): { readonly name: string; readonly namespace: string } => ({
  name: stringAt(object, 'metadata', 'name'),
  namespace: stringAt(object, 'metadata', 'namespace'),
});
