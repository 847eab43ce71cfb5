/**
 * Rules of namespaces: their phase, and the finalizer that delays their deletion until they are
 * empty.
 */

import { dnsLabelProblems, labelKeyProblems } from '../formats/api-names.ts';
import { string, struct, time } from '../formats/go-struct/shape.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { ageColumn, nameColumn } from './columns.ts';
import { errorsOfItems, type FieldError, invalidValue } from './field-error.ts';
import { type KindRules, kindRules } from './kind-rules.ts';
import { kindRow } from './kinds.ts';
import { notStandardFinalizer, standardFinalizers, validateKindMetadata } from './metadata.ts';
import { emptyObject, stringAt, stringsAt, withMember } from './object-fields.ts';
import { objectShape } from './shape.ts';

/** Label with the name of the namespace, for selectors. */
const nameLabel = 'kubernetes.io/metadata.name';

/** Finalizer in `spec.finalizers` that remains until the content of the namespace is deleted. */
export const namespaceFinalizer = 'kubernetes';

/** Namespaces that always exist. As in kube-apiserver, only the last one can be deleted. */
export const systemNamespaces: readonly string[] = [
  'default',
  'kube-system',
  'kube-public',
  'kube-node-lease',
];
/** Namespaces that cannot be deleted. */
export const immortalNamespaces: ReadonlySet<string> = new Set(systemNamespaces.slice(0, 3));

/** Rules of the kind Namespace. */
export const namespaceRules: KindRules = kindRules({
  row: kindRow('namespaces'),
  shape: objectShape(
    'Namespace',
    [
      'spec',
      struct('v1.NamespaceSpec', [
        'finalizers',
        {
          kind: 'list',
          goType: '[]v1.FinalizerName',
          item: { kind: 'string', goType: 'v1.FinalizerName' },
        },
        { number: 1, ownership: 'atomic' },
      ]),
      { number: 2, written: 'always' },
    ],
    [
      'status',
      struct(
        'v1.NamespaceStatus',
        ['phase', { kind: 'string', goType: 'v1.NamespacePhase' }, { number: 1 }],
        [
          'conditions',
          {
            kind: 'list',
            goType: '[]v1.NamespaceCondition',
            item: struct(
              'v1.NamespaceCondition',
              ['type', string, { number: 1, written: 'always' }],
              ['status', string, { number: 2, written: 'always' }],
              ['lastTransitionTime', time, { number: 4 }],
              ['reason', string, { number: 5 }],
              ['message', string, { number: 6 }],
            ),
          },
          { number: 2, mergeKey: 'type', ownership: { key: 'type' } },
        ],
      ),
      { number: 3, written: 'always' },
    ],
  ),
  description: 'Namespace provides a scope for Names. Use of multiple namespaces is optional.',
  returnDeletedObject: true,
  resetFields: ['status'],
  selectableFields: (object) => new Map([['status.phase', stringAt(object, 'status', 'phase')]]),
  columns: [nameColumn, { name: 'Status', description: 'The status of the namespace' }, ageColumn],
  cells: (object, age) => [
    stringAt(object, 'metadata', 'name'),
    stringAt(object, 'status', 'phase'),
    age,
  ],
  applyDefaults: withNameLabel,
  prepareForCreate: (object) => withFinalizer(withPhase(object, 'Active')),
  prepareForUpdate: (object, old) => {
    const withOldSpec = withMember(object, ['spec'], old.get('spec') ?? emptyObject);
    return withMember(withOldSpec, ['status'], old.get('status') ?? emptyObject);
  },
  validate: validateNamespace,
});

/** Sets the label with the name, also after the server has generated the name. */
export function withNameLabel(object: JsonObject): JsonObject {
  const name = stringAt(object, 'metadata', 'name');
  return name === '' ? object : withMember(object, ['metadata', 'labels', nameLabel], name);
}

/** Returns the object in a phase. */
export const withPhase = (object: JsonObject, phase: 'Active' | 'Terminating'): JsonObject =>
  withMember(object, ['status'], new Map<string, Json>([['phase', phase]]));

const withFinalizer = (object: JsonObject): JsonObject => {
  const finalizers = stringsAt(object, 'spec', 'finalizers');
  return finalizers.includes(namespaceFinalizer)
    ? object
    : withMember(object, ['spec', 'finalizers'], [...finalizers, namespaceFinalizer]);
};

function validateNamespace(object: JsonObject): readonly FieldError[] {
  const field = 'spec.finalizers';
  const finalizers = errorsOfItems(stringsAt(object, 'spec', 'finalizers'), (name) => {
    const problems = labelKeyProblems(name).map((problem) => invalidValue(field, name, problem));
    if (name.includes('/') || standardFinalizers.has(name)) return problems;
    return [...problems, invalidValue(field, name, notStandardFinalizer)];
  });
  return [
    ...validateKindMetadata(object, { namespaced: false, nameRule: dnsLabelProblems }),
    ...finalizers,
  ];
}
