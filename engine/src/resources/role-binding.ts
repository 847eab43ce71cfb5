/** Rules of role bindings and cluster role bindings. */

import { dnsSubdomainProblems, pathSegmentProblems } from '../formats/api-names.ts';
import { type FieldOptions, type Shape, string, struct } from '../formats/go-struct/shape.ts';
import { kubernetesDomain } from '../model/api-domain.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { ageColumn, nameColumn } from './columns.ts';
import {
  errorsOfItems,
  type FieldError,
  invalidValue,
  notSupported,
  required,
} from './field-error.ts';
import { type KindRules, kindRules, type TableColumn } from './kind-rules.ts';
import { kindRow } from './kinds.ts';
import { validateKindMetadata, validateKindMetadataUpdate } from './metadata.ts';
import { objectAt, objectsAt, stringAt, withMember } from './object-fields.ts';
import { objectShape } from './shape.ts';

/**
 * API group in the stored form; requests in another domain are converted before they are validated.
 */
export const rbacGroup = `rbac.authorization.${kubernetesDomain}`;

const bindingFields: readonly (readonly [string, Shape, FieldOptions])[] = [
  [
    'subjects',
    {
      kind: 'list',
      goType: '[]v1.Subject',
      item: struct(
        'v1.Subject',
        ['kind', string, { number: 1, written: 'always' }],
        ['apiGroup', string, { number: 2 }],
        ['name', string, { number: 3, written: 'always' }],
        ['namespace', string, { number: 4 }],
      ),
    },
    { number: 2, ownership: 'atomic' },
  ],
  [
    'roleRef',
    struct(
      'v1.RoleRef',
      ['apiGroup', string, { number: 1, written: 'always' }],
      ['kind', string, { number: 2, written: 'always' }],
      ['name', string, { number: 3, written: 'always' }],
    ),
    { number: 3, written: 'always', ownership: 'atomic' },
  ],
];

const columns = (kind: string, roleDescription: string): readonly TableColumn[] => [
  nameColumn,
  { name: 'Role', description: roleDescription },
  ageColumn,
  { name: 'Users', priority: 1, description: `Users in the ${kind}` },
  { name: 'Groups', priority: 1, description: `Groups in the ${kind}` },
  { name: 'ServiceAccounts', priority: 1, description: `ServiceAccounts in the ${kind}` },
];

/** Rules of the kind RoleBinding. */
export const roleBindingRules: KindRules = kindRules({
  row: kindRow('rolebindings'),
  shape: objectShape('RoleBinding', ...bindingFields),
  description:
    'RoleBinding references a role, but does not contain it.  It can reference a Role in the same namespace or a ClusterRole in the global namespace. It adds who information via Subjects and namespace information by which namespace it exists in.  RoleBindings in a given namespace only have effect in that namespace.',
  allowCreateOnUpdate: true,
  columns: columns(
    'roleBinding',
    'RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
  ),
  cells: bindingCells,
  applyDefaults: withGroups,
  validate: (object) =>
    validateBinding(object, { namespaced: true, roleKinds: ['Role', 'ClusterRole'] }),
  validateUpdate: (object, old) => [
    ...validateBinding(object, { namespaced: true, roleKinds: ['Role', 'ClusterRole'] }),
    ...validateBindingUpdate(object, old),
  ],
});

/** Rules of the kind ClusterRoleBinding. */
export const clusterRoleBindingRules: KindRules = kindRules({
  row: kindRow('clusterrolebindings'),
  shape: objectShape('ClusterRoleBinding', ...bindingFields),
  description:
    'ClusterRoleBinding references a ClusterRole, but not contain it.  It can reference a ClusterRole in the global namespace, and adds who information via Subject.',
  allowCreateOnUpdate: true,
  columns: columns(
    'clusterRoleBinding',
    'RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
  ),
  cells: bindingCells,
  applyDefaults: withGroups,
  validate: (object) => validateBinding(object, { namespaced: false, roleKinds: ['ClusterRole'] }),
  validateUpdate: (object, old) => [
    ...validateBinding(object, { namespaced: false, roleKinds: ['ClusterRole'] }),
    ...validateBindingUpdate(object, old),
  ],
});

function bindingCells(object: JsonObject, age: string): readonly Json[] {
  const subjects = objectsAt(object, 'subjects');
  const names = (kind: string): string =>
    subjects
      .filter((subject) => subject.get('kind') === kind)
      .map((subject) => {
        const name = stringAt(subject, 'name');
        return kind === 'ServiceAccount' ? `${stringAt(subject, 'namespace')}/${name}` : name;
      })
      .join(', ');
  const ref = objectAt(object, 'roleRef');
  return [
    stringAt(object, 'metadata', 'name'),
    `${stringAt(ref, 'kind')}/${stringAt(ref, 'name')}`,
    age,
    names('User'),
    names('Group'),
    names('ServiceAccount'),
  ];
}

/** Sets the default API group of the role, users and groups. */
function withGroups(object: JsonObject): JsonObject {
  const withRef =
    stringAt(object, 'roleRef', 'apiGroup') === ''
      ? withMember(object, ['roleRef', 'apiGroup'], rbacGroup)
      : object;
  if (!object.has('subjects')) return withRef;
  const subjects = objectsAt(object, 'subjects').map((subject): Json => {
    const kind = stringAt(subject, 'kind');
    const isNamed = kind === 'User' || kind === 'Group';
    return isNamed && stringAt(subject, 'apiGroup') === ''
      ? withMember(subject, ['apiGroup'], rbacGroup)
      : subject;
  });
  return withMember(withRef, ['subjects'], subjects);
}

function validateBinding(
  object: JsonObject,
  {
    namespaced,
    roleKinds,
  }: { readonly namespaced: boolean; readonly roleKinds: readonly string[] },
): readonly FieldError[] {
  const problems = [...validateKindMetadata(object, { namespaced, nameRule: pathSegmentProblems })];
  const ref = objectAt(object, 'roleRef');
  const group = stringAt(ref, 'apiGroup');
  if (group !== rbacGroup) problems.push(notSupported('roleRef.apiGroup', group, [rbacGroup]));
  const kind = stringAt(ref, 'kind');
  if (!roleKinds.includes(kind)) problems.push(notSupported('roleRef.kind', kind, roleKinds));
  const name = stringAt(ref, 'name');
  if (name === '') problems.push(required('roleRef.name'));
  else {
    const field = 'roleRef.name';
    problems.push(...pathSegmentProblems(name).map((text) => invalidValue(field, name, text)));
  }
  const subjects = errorsOfItems(objectsAt(object, 'subjects'), (subject, index) =>
    validateSubject(subject, { namespaced, field: `subjects[${index}]` }),
  );
  return [...problems, ...subjects];
}

const validateSubject = (
  subject: JsonObject,
  { namespaced, field }: { readonly namespaced: boolean; readonly field: string },
): readonly FieldError[] => {
  const name = stringAt(subject, 'name');
  const kind = stringAt(subject, 'kind');
  const group = stringAt(subject, 'apiGroup');
  const problems: FieldError[] = name === '' ? [required(`${field}.name`)] : [];
  if (kind === 'ServiceAccount') {
    if (name !== '') {
      const place = `${field}.name`;
      problems.push(...dnsSubdomainProblems(name).map((text) => invalidValue(place, name, text)));
    }
    if (group !== '') problems.push(notSupported(`${field}.apiGroup`, group, ['']));
    if (!namespaced && stringAt(subject, 'namespace') === '') {
      problems.push(required(`${field}.namespace`));
    }
  } else if (kind === 'User' || kind === 'Group') {
    if (group !== rbacGroup) problems.push(notSupported(`${field}.apiGroup`, group, [rbacGroup]));
  } else {
    const kinds = ['ServiceAccount', 'User', 'Group'];
    problems.push(notSupported(`${field}.kind`, kind, kinds));
  }
  return problems;
};

function validateBindingUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const ref = objectAt(object, 'roleRef');
  const before = objectAt(old, 'roleRef');
  const problems = validateKindMetadataUpdate(object, old);
  const same = ['apiGroup', 'kind', 'name'].every(
    (name) => stringAt(ref, name) === stringAt(before, name),
  );
  if (same) return problems;
  // kube-apiserver prints its internal form of the object here.
  const shown = new Map<string, Json>([
    ['APIGroup', stringAt(ref, 'apiGroup')],
    ['Kind', stringAt(ref, 'kind')],
    ['Name', stringAt(ref, 'name')],
  ]);
  return [...problems, invalidValue('roleRef', shown, 'cannot change roleRef')];
}
