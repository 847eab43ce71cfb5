/** Namespaces: their phase, and the finalizer that keeps one until its content is gone. */
import { dnsLabelProblems, labelKeyProblems } from '../formats/api-names.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { ageColumn, nameColumn } from './columns.ts';
import { type FieldError, invalidValue } from './field-error.ts';
import { type KindRules, kindRules } from './kind-rules.ts';
import { kindRow } from './kinds.ts';
import {
  validateKindMetadata,
  validateKindMetadataUpdate,
  notStandardFinalizer,
  standardFinalizers,
} from './metadata.ts';
import { emptyObject, stringAt, stringsAt, withMember } from './object-fields.ts';
import { objectShape, struct, string, time } from './shape.ts';

/** The name of a namespace as a label of its own, for selectors. */
const nameLabel = 'kubernetes.io/metadata.name';

/** Kept in `spec.finalizers` until everything inside is deleted. */
export const namespaceFinalizer = 'kubernetes';

/** There from the start, and never deleted; the last one may be, as in the real server. */
export const systemNamespaces: readonly string[] = [
  'default',
  'kube-system',
  'kube-public',
  'kube-node-lease',
];
/** Those that nobody may delete. */
export const immortalNamespaces: ReadonlySet<string> = new Set(systemNamespaces.slice(0, 3));

/** The rules of namespaces. */
export const namespaceRules: KindRules = kindRules({
  row: kindRow('namespaces'),
  shape: objectShape(
    'Namespace',
    [
      'spec',
      struct('NamespaceSpec', 'v1.NamespaceSpec', [
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
        'NamespaceStatus',
        'v1.NamespaceStatus',
        ['phase', { kind: 'string', goType: 'v1.NamespacePhase' }, { number: 1 }],
        [
          'conditions',
          {
            kind: 'list',
            goType: '[]v1.NamespaceCondition',
            item: struct(
              'NamespaceCondition',
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
  validateUpdate: (object, old) => [
    ...validateNamespace(object),
    ...validateKindMetadataUpdate(object, old),
  ],
});

/** Also for names that the server made, which are known late. */
export function withNameLabel(object: JsonObject): JsonObject {
  const name = stringAt(object, 'metadata', 'name');
  return name === '' ? object : withMember(object, ['metadata', 'labels', nameLabel], name);
}

/** The object in this phase of its life. */
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
  const finalizers = stringsAt(object, 'spec', 'finalizers').flatMap((name) => {
    const problems = labelKeyProblems(name).map((problem) => invalidValue(field, name, problem));
    if (name.includes('/') || standardFinalizers.has(name)) return problems;
    return [...problems, invalidValue(field, name, notStandardFinalizer)];
  });
  return [
    ...validateKindMetadata(object, { namespaced: false, nameRule: dnsLabelProblems }),
    ...finalizers,
  ];
}
