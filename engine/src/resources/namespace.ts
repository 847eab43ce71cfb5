/** Namespaces: their phase, and the finalizer that keeps one until its content is gone. */
import { dnsLabelProblems, labelKeyProblems } from '../formats/api-names.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { ageColumn, nameColumn } from './columns.ts';
import { type FieldProblem, invalidValue } from './field-problem.ts';
import { type KindRules, kindRules } from './kind-rules.ts';
import { kindRow } from './kinds.ts';
import {
  kindMetadataProblems,
  kindMetadataUpdateProblems,
  notStandard,
  standardFinalizers,
} from './metadata.ts';
import { emptyObject, textAt, textsAt, withMember } from './object-fields.ts';
import { objectShape, struct, text, time } from './shape.ts';

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
        { number: 1, owned: 'whole' },
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
              ['type', text, { number: 1, written: 'always' }],
              ['status', text, { number: 2, written: 'always' }],
              ['lastTransitionTime', time, { number: 4 }],
              ['reason', text, { number: 5 }],
              ['message', text, { number: 6 }],
            ),
          },
          { number: 2, mergeKey: 'type', owned: { by: 'type' } },
        ],
      ),
      { number: 3, written: 'always' },
    ],
  ),
  description: 'Namespace provides a scope for Names. Use of multiple namespaces is optional.',
  returnsDeleted: true,
  ownedElsewhere: ['status'],
  selectable: (object) => new Map([['status.phase', textAt(object, 'status', 'phase')]]),
  columns: [nameColumn, { name: 'Status', description: 'The status of the namespace' }, ageColumn],
  cells: (object, age) => [
    textAt(object, 'metadata', 'name'),
    textAt(object, 'status', 'phase'),
    age,
  ],
  defaulted: withNameLabel,
  preparedForCreate: (object) => withFinalizer(withPhase(object, 'Active')),
  preparedForUpdate: (object, old) => {
    const kept = withMember(object, ['spec'], old.get('spec') ?? emptyObject);
    return withMember(kept, ['status'], old.get('status') ?? emptyObject);
  },
  problems: namespaceProblems,
  updateProblems: (object, old) => [
    ...namespaceProblems(object),
    ...kindMetadataUpdateProblems(object, old),
  ],
});

/** Also for names that the server made, which are known late. */
export function withNameLabel(object: JsonObject): JsonObject {
  const name = textAt(object, 'metadata', 'name');
  return name === '' ? object : withMember(object, ['metadata', 'labels', nameLabel], name);
}

/** The object in this phase of its life. */
export const withPhase = (object: JsonObject, phase: 'Active' | 'Terminating'): JsonObject =>
  withMember(object, ['status'], new Map<string, Json>([['phase', phase]]));

const withFinalizer = (object: JsonObject): JsonObject => {
  const finalizers = textsAt(object, 'spec', 'finalizers');
  return finalizers.includes(namespaceFinalizer)
    ? object
    : withMember(object, ['spec', 'finalizers'], [...finalizers, namespaceFinalizer]);
};

function namespaceProblems(object: JsonObject): readonly FieldProblem[] {
  const field = 'spec.finalizers';
  const finalizers = textsAt(object, 'spec', 'finalizers').flatMap((name) => {
    const problems = labelKeyProblems(name).map((problem) => invalidValue(field, name, problem));
    if (name.includes('/') || standardFinalizers.has(name)) return problems;
    return [...problems, invalidValue(field, name, notStandard)];
  });
  return [
    ...kindMetadataProblems(object, { namespaced: false, nameRule: dnsLabelProblems }),
    ...finalizers,
  ];
}
