/** Bindings of roles to users, groups and service accounts. */
import { dnsSubdomainProblems, pathSegmentProblems } from '../formats/api-names.ts';
import { kubernetesDomain } from '../model/api-domain.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { ageColumn, nameColumn } from './columns.ts';
import { type FieldProblem, invalidValue, notSupported, required } from './field-problem.ts';
import { type KindRules, kindRules, type TableColumn } from './kind-rules.ts';
import { kindRow } from './kinds.ts';
import { kindMetadataProblems, kindMetadataUpdateProblems } from './metadata.ts';
import { objectAt, objectsAt, textAt, withMember } from './object-fields.ts';
import { type FieldFacts, objectShape, type Shape, struct, text } from './shape.ts';

/** As it is stored; requests in another domain are put into this one before they are judged. */
export const rbacGroup = `rbac.authorization.${kubernetesDomain}`;

const bindingFields: readonly (readonly [string, Shape, FieldFacts])[] = [
  [
    'subjects',
    {
      kind: 'list',
      goType: '[]v1.Subject',
      item: struct(
        'Subject',
        'v1.Subject',
        ['kind', text, { number: 1, written: 'always' }],
        ['apiGroup', text, { number: 2 }],
        ['name', text, { number: 3, written: 'always' }],
        ['namespace', text, { number: 4 }],
      ),
    },
    { number: 2, owned: 'whole' },
  ],
  [
    'roleRef',
    struct(
      'RoleRef',
      'v1.RoleRef',
      ['apiGroup', text, { number: 1, written: 'always' }],
      ['kind', text, { number: 2, written: 'always' }],
      ['name', text, { number: 3, written: 'always' }],
    ),
    { number: 3, written: 'always', owned: 'whole' },
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

/** The rules of bindings within a namespace. */
export const roleBindingRules: KindRules = kindRules({
  row: kindRow('rolebindings'),
  shape: objectShape('RoleBinding', ...bindingFields),
  description:
    'RoleBinding references a role, but does not contain it.  It can reference a Role in the same namespace or a ClusterRole in the global namespace. It adds who information via Subjects and namespace information by which namespace it exists in.  RoleBindings in a given namespace only have effect in that namespace.',
  createOnUpdate: true,
  columns: columns(
    'roleBinding',
    'RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
  ),
  cells: bindingCells,
  defaulted: withGroups,
  problems: (object) =>
    bindingProblems(object, { namespaced: true, roleKinds: ['Role', 'ClusterRole'] }),
  updateProblems: (object, old) => [
    ...bindingProblems(object, { namespaced: true, roleKinds: ['Role', 'ClusterRole'] }),
    ...bindingUpdateProblems(object, old),
  ],
});

/** The rules of bindings of the cluster. */
export const clusterRoleBindingRules: KindRules = kindRules({
  row: kindRow('clusterrolebindings'),
  shape: objectShape('ClusterRoleBinding', ...bindingFields),
  description:
    'ClusterRoleBinding references a ClusterRole, but not contain it.  It can reference a ClusterRole in the global namespace, and adds who information via Subject.',
  createOnUpdate: true,
  columns: columns(
    'clusterRoleBinding',
    'RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
  ),
  cells: bindingCells,
  defaulted: withGroups,
  problems: (object) => bindingProblems(object, { namespaced: false, roleKinds: ['ClusterRole'] }),
  updateProblems: (object, old) => [
    ...bindingProblems(object, { namespaced: false, roleKinds: ['ClusterRole'] }),
    ...bindingUpdateProblems(object, old),
  ],
});

function bindingCells(object: JsonObject, age: string): readonly Json[] {
  const subjects = objectsAt(object, 'subjects');
  const names = (kind: string): string =>
    subjects
      .filter((subject) => subject.get('kind') === kind)
      .map((subject) => {
        const name = textAt(subject, 'name');
        return kind === 'ServiceAccount' ? `${textAt(subject, 'namespace')}/${name}` : name;
      })
      .join(', ');
  const ref = objectAt(object, 'roleRef');
  return [
    textAt(object, 'metadata', 'name'),
    `${textAt(ref, 'kind')}/${textAt(ref, 'name')}`,
    age,
    names('User'),
    names('Group'),
    names('ServiceAccount'),
  ];
}

/** The group of roles, users and groups need not be written. */
function withGroups(object: JsonObject): JsonObject {
  const withRef =
    textAt(object, 'roleRef', 'apiGroup') === ''
      ? withMember(object, ['roleRef', 'apiGroup'], rbacGroup)
      : object;
  if (!object.has('subjects')) return withRef;
  const subjects = objectsAt(object, 'subjects').map((subject): Json => {
    const kind = textAt(subject, 'kind');
    const isNamed = kind === 'User' || kind === 'Group';
    return isNamed && textAt(subject, 'apiGroup') === ''
      ? withMember(subject, ['apiGroup'], rbacGroup)
      : subject;
  });
  return withMember(withRef, ['subjects'], subjects);
}

function bindingProblems(
  object: JsonObject,
  {
    namespaced,
    roleKinds,
  }: { readonly namespaced: boolean; readonly roleKinds: readonly string[] },
): readonly FieldProblem[] {
  const problems = [...kindMetadataProblems(object, { namespaced, nameRule: pathSegmentProblems })];
  const ref = objectAt(object, 'roleRef');
  const group = textAt(ref, 'apiGroup');
  if (group !== rbacGroup) problems.push(notSupported('roleRef.apiGroup', group, [rbacGroup]));
  const kind = textAt(ref, 'kind');
  if (!roleKinds.includes(kind)) problems.push(notSupported('roleRef.kind', kind, roleKinds));
  const name = textAt(ref, 'name');
  if (name === '') problems.push(required('roleRef.name'));
  else {
    const field = 'roleRef.name';
    problems.push(...pathSegmentProblems(name).map((text) => invalidValue(field, name, text)));
  }
  for (const [index, subject] of objectsAt(object, 'subjects').entries()) {
    problems.push(...subjectProblems(subject, { namespaced, field: `subjects[${index}]` }));
  }
  return problems;
}

const subjectProblems = (
  subject: JsonObject,
  { namespaced, field }: { readonly namespaced: boolean; readonly field: string },
): readonly FieldProblem[] => {
  const name = textAt(subject, 'name');
  const kind = textAt(subject, 'kind');
  const group = textAt(subject, 'apiGroup');
  const problems: FieldProblem[] = name === '' ? [required(`${field}.name`)] : [];
  if (kind === 'ServiceAccount') {
    if (name !== '') {
      const place = `${field}.name`;
      problems.push(...dnsSubdomainProblems(name).map((text) => invalidValue(place, name, text)));
    }
    if (group !== '') problems.push(notSupported(`${field}.apiGroup`, group, ['']));
    if (!namespaced && textAt(subject, 'namespace') === '') {
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

function bindingUpdateProblems(object: JsonObject, old: JsonObject): readonly FieldProblem[] {
  const ref = objectAt(object, 'roleRef');
  const before = objectAt(old, 'roleRef');
  const problems = kindMetadataUpdateProblems(object, old);
  const same = ['apiGroup', 'kind', 'name'].every(
    (name) => textAt(ref, name) === textAt(before, name),
  );
  if (same) return problems;
  // The real server prints its own form of the object here.
  const shown = new Map<string, Json>([
    ['APIGroup', textAt(ref, 'apiGroup')],
    ['Kind', textAt(ref, 'kind')],
    ['Name', textAt(ref, 'name')],
  ]);
  return [...problems, invalidValue('roleRef', shown, 'cannot change roleRef')];
}
