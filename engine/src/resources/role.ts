/** Roles and cluster roles. */
import { pathSegmentProblems } from '../formats/api-names.ts';
import type { JsonObject } from '../model/json.ts';
import { createdDescription, nameColumn } from './columns.ts';
import { type FieldProblem, invalidValue, required } from './field-problem.ts';
import { type KindRules, kindRules } from './kind-rules.ts';
import { kindRow } from './kinds.ts';
import {
  kindMetadataProblems,
  kindMetadataUpdateProblems,
  labelSelectorProblems,
} from './metadata.ts';
import { objectAt, objectsAt, textAt, textsAt } from './object-fields.ts';
import {
  type FieldFacts,
  objectShape,
  type Shape,
  struct,
  text,
  textList,
  textMap,
} from './shape.ts';

const policyRule = struct(
  'PolicyRule',
  'v1.PolicyRule',
  ['verbs', textList, { number: 1, written: 'always' }],
  ['apiGroups', textList, { number: 2 }],
  ['resources', textList, { number: 3 }],
  ['resourceNames', textList, { number: 4 }],
  ['nonResourceURLs', textList, { number: 5 }],
);

const rulesField: readonly [string, Shape, FieldFacts] = [
  'rules',
  { kind: 'list', goType: '[]v1.PolicyRule', item: policyRule },
  { number: 2, written: 'always', owned: 'whole' },
];

const labelSelector = struct(
  'LabelSelector',
  'v1.LabelSelector',
  ['matchLabels', textMap, { number: 1 }],
  [
    'matchExpressions',
    {
      kind: 'list',
      goType: '[]v1.LabelSelectorRequirement',
      item: struct(
        'LabelSelectorRequirement',
        'v1.LabelSelectorRequirement',
        ['key', text, { number: 1, written: 'always' }],
        [
          'operator',
          { kind: 'string', goType: 'v1.LabelSelectorOperator' },
          { number: 2, written: 'always' },
        ],
        ['values', textList, { number: 3 }],
      ),
    },
    { number: 2 },
  ],
);

const tableParts = {
  columns: [nameColumn, { name: 'Created At', type: 'date', description: createdDescription }],
  cells: (object: JsonObject) => [
    textAt(object, 'metadata', 'name'),
    textAt(object, 'metadata', 'creationTimestamp'),
  ],
} as const;

/** The rules of roles within a namespace. */
export const roleRules: KindRules = kindRules({
  ...tableParts,
  row: kindRow('roles'),
  shape: objectShape('Role', rulesField),
  description:
    'Role is a namespaced, logical grouping of PolicyRules that can be referenced as a unit by a RoleBinding.',
  createOnUpdate: true,
  problems: (object) => roleProblems(object, { namespaced: true }),
  updateProblems: (object, old) => [
    ...roleProblems(object, { namespaced: true }),
    ...kindMetadataUpdateProblems(object, old),
  ],
});

/** The rules of roles of the cluster. */
export const clusterRoleRules: KindRules = kindRules({
  ...tableParts,
  row: kindRow('clusterroles'),
  shape: objectShape('ClusterRole', rulesField, [
    'aggregationRule',
    struct('AggregationRule', 'v1.AggregationRule', [
      'clusterRoleSelectors',
      { kind: 'list', goType: '[]v1.LabelSelector', item: labelSelector },
      { number: 1, owned: 'whole' },
    ]),
    { number: 3, written: 'given' },
  ]),
  description:
    'ClusterRole is a cluster level, logical grouping of PolicyRules that can be referenced as a unit by a RoleBinding or ClusterRoleBinding.',
  createOnUpdate: true,
  problems: clusterRoleProblems,
  updateProblems: (object, old) => [
    ...clusterRoleProblems(object),
    ...kindMetadataUpdateProblems(object, old),
  ],
});

function clusterRoleProblems(object: JsonObject): readonly FieldProblem[] {
  return [...roleProblems(object, { namespaced: false }), ...aggregationProblems(object)];
}

function roleProblems(
  object: JsonObject,
  { namespaced }: { readonly namespaced: boolean },
): readonly FieldProblem[] {
  return [
    ...kindMetadataProblems(object, { namespaced, nameRule: pathSegmentProblems }),
    ...objectsAt(object, 'rules').flatMap((rule, index) =>
      ruleProblems(rule, { namespaced, field: `rules[${index}]` }),
    ),
  ];
}

const ruleProblems = (
  rule: JsonObject,
  { namespaced, field }: { readonly namespaced: boolean; readonly field: string },
): readonly FieldProblem[] => {
  const has = (name: string): boolean => textsAt(rule, name).length > 0;
  const problems: FieldProblem[] = [];
  if (!has('verbs')) {
    problems.push(required(`${field}.verbs`, 'verbs must contain at least one value'));
  }
  if (has('nonResourceURLs')) {
    const urls = textsAt(rule, 'nonResourceURLs');
    const place = `${field}.nonResourceURLs`;
    if (namespaced) {
      const detail = 'namespaced rules cannot apply to non-resource URLs';
      problems.push(invalidValue(place, urls, detail));
    }
    if (has('apiGroups') || has('resources') || has('resourceNames')) {
      const detail = 'rules cannot apply to both regular resources and non-resource URLs';
      problems.push(invalidValue(place, urls, detail));
    }
    return problems;
  }
  if (!has('apiGroups')) {
    const detail = 'resource rules must supply at least one api group';
    problems.push(required(`${field}.apiGroups`, detail));
  }
  if (!has('resources')) {
    const detail = 'resource rules must supply at least one resource';
    problems.push(required(`${field}.resources`, detail));
  }
  return problems;
};

function aggregationProblems(object: JsonObject): readonly FieldProblem[] {
  if (!object.has('aggregationRule')) return [];
  const field = 'aggregationRule.clusterRoleSelectors';
  const selectors = objectsAt(objectAt(object, 'aggregationRule'), 'clusterRoleSelectors');
  if (selectors.length === 0) {
    const detail = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
    return [required(field, detail)];
  }
  return selectors.flatMap((selector, index) => {
    const place = `${field}[${index}]`;
    const problems = labelSelectorProblems(selector, place);
    return problems.length === 0
      ? []
      : [...problems, invalidValue(place, null, 'invalid label selector.')];
  });
}
