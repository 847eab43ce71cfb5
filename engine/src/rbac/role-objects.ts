/**
 * Roles and bindings as the store holds them, read into plain data. What the store holds was judged
 * when it was written; a member of a wrong type reads as absent here, which never grants anything.
 */
import type { Json, JsonObject } from '../model/json.ts';
import type { PolicyRule, Subject } from './policy-rule.ts';

export interface RoleObject {
  readonly name: string;
  /** Empty of a cluster role. */
  readonly namespace: string;
  readonly rules: readonly PolicyRule[];
}

export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

export interface BindingObject {
  readonly kind: 'ClusterRoleBinding' | 'RoleBinding';
  readonly name: string;
  /** Empty of a cluster role binding. */
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

export const readRole = (object: JsonObject): RoleObject => ({
  ...readName(object),
  rules: readRules(object),
});

export const readRules = (object: JsonObject): readonly PolicyRule[] =>
  objectsOf(object.get('rules')).map(readRule);

export const readRule = (rule: JsonObject): PolicyRule => ({
  verbs: textsOf(rule.get('verbs')),
  apiGroups: textsOf(rule.get('apiGroups')),
  resources: textsOf(rule.get('resources')),
  resourceNames: textsOf(rule.get('resourceNames')),
  nonResourceURLs: textsOf(rule.get('nonResourceURLs')),
});

export const readBinding = (kind: BindingObject['kind'], object: JsonObject): BindingObject => ({
  kind,
  ...readName(object),
  roleRef: readRoleRef(object),
  subjects: objectsOf(object.get('subjects')).map(readSubject),
});

export const readRoleRef = (object: JsonObject): RoleRef => {
  const ref = objectOf(object.get('roleRef'));
  return {
    apiGroup: textOf(ref.get('apiGroup')),
    kind: textOf(ref.get('kind')),
    name: textOf(ref.get('name')),
  };
};

export const readSubject = (subject: JsonObject): Subject => ({
  kind: textOf(subject.get('kind')),
  apiGroup: textOf(subject.get('apiGroup')),
  name: textOf(subject.get('name')),
  namespace: textOf(subject.get('namespace')),
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
export const textsByName = (
  object: JsonObject,
  member: 'labels' | 'annotations',
): ReadonlyMap<string, string> => {
  const found = objectOf(objectOf(object.get('metadata')).get(member));
  return new Map([...found].map(([name, value]) => [name, textOf(value)]));
};

export const readName = (
  object: JsonObject,
): { readonly name: string; readonly namespace: string } => {
  const metadata = objectOf(object.get('metadata'));
  return { name: textOf(metadata.get('name')), namespace: textOf(metadata.get('namespace')) };
};

const nothing: JsonObject = new Map();

/** Empty where there is none. */
export const objectOf = (value: Json | undefined): JsonObject =>
  value instanceof Map ? value : nothing;

export const objectsOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.flatMap((item: Json) => (item instanceof Map ? [item] : [])) : [];

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value)
    ? value.flatMap((item: Json) => (typeof item === 'string' ? [item] : []))
    : [];
