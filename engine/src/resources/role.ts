/** Rules of roles and cluster roles. */

import { pathSegmentProblems } from '../formats/api-names.ts';
import {
  type FieldOptions,
  type Shape,
  string,
  stringList,
  stringMap,
  struct,
} from '../formats/go-struct/shape.ts';
import type { JsonObject } from '../model/json.ts';
import { createdDescription, nameColumn } from './columns.ts';
import { errorsOfItems, type FieldError, invalidValue, required } from './field-error.ts';
import { type KindRules, kindRules } from './kind-rules.ts';
import { kindRow } from './kinds.ts';
import { validateKindMetadata, validateLabelSelector } from './metadata.ts';
import { objectAt, objectsAt, stringAt, stringsAt } from './object-fields.ts';
import { objectShape } from './shape.ts';

const policyRule = struct(
  'v1.PolicyRule',
  ['verbs', stringList, { number: 1, written: 'always' }],
  ['apiGroups', stringList, { number: 2 }],
  ['resources', stringList, { number: 3 }],
  ['resourceNames', stringList, { number: 4 }],
  ['nonResourceURLs', stringList, { number: 5 }],
);

const rulesField: readonly [string, Shape, FieldOptions] = [
  'rules',
  { kind: 'list', goType: '[]v1.PolicyRule', item: policyRule },
  { number: 2, written: 'always', ownership: 'atomic' },
];

const labelSelector = struct(
  'v1.LabelSelector',
  ['matchLabels', stringMap, { number: 1 }],
  [
    'matchExpressions',
    {
      kind: 'list',
      goType: '[]v1.LabelSelectorRequirement',
      item: struct(
        'v1.LabelSelectorRequirement',
        ['key', string, { number: 1, written: 'always' }],
        [
          'operator',
          { kind: 'string', goType: 'v1.LabelSelectorOperator' },
          { number: 2, written: 'always' },
        ],
        ['values', stringList, { number: 3 }],
      ),
    },
    { number: 2 },
  ],
);

const tableParts = {
  columns: [nameColumn, { name: 'Created At', type: 'date', description: createdDescription }],
  cells: (object: JsonObject) => [
    stringAt(object, 'metadata', 'name'),
    stringAt(object, 'metadata', 'creationTimestamp'),
  ],
} as const;

/** Rules of the kind Role. */
export const roleRules: KindRules = kindRules({
  ...tableParts,
  row: kindRow('roles'),
  shape: objectShape('Role', rulesField),
  description:
    'Role is a namespaced, logical grouping of PolicyRules that can be referenced as a unit by a RoleBinding.',
  allowCreateOnUpdate: true,
  validate: (object) => validateRole(object, { namespaced: true }),
});

/** Rules of the kind ClusterRole. */
export const clusterRoleRules: KindRules = kindRules({
  ...tableParts,
  row: kindRow('clusterroles'),
  shape: objectShape('ClusterRole', rulesField, [
    'aggregationRule',
    struct('v1.AggregationRule', [
      'clusterRoleSelectors',
      { kind: 'list', goType: '[]v1.LabelSelector', item: labelSelector },
      { number: 1, ownership: 'atomic' },
    ]),
    { number: 3, written: 'when-set' },
  ]),
  description:
    'ClusterRole is a cluster level, logical grouping of PolicyRules that can be referenced as a unit by a RoleBinding or ClusterRoleBinding.',
  allowCreateOnUpdate: true,
  validate: validateClusterRole,
});

function validateClusterRole(object: JsonObject): readonly FieldError[] {
  return [...validateRole(object, { namespaced: false }), ...validateAggregationRule(object)];
}

function validateRole(
  object: JsonObject,
  { namespaced }: { readonly namespaced: boolean },
): readonly FieldError[] {
  return [
    ...validateKindMetadata(object, { namespaced, nameRule: pathSegmentProblems }),
    ...errorsOfItems(objectsAt(object, 'rules'), (rule, index) =>
      validatePolicyRule(rule, { namespaced, field: `rules[${index}]` }),
    ),
  ];
}

const validatePolicyRule = (
  rule: JsonObject,
  { namespaced, field }: { readonly namespaced: boolean; readonly field: string },
): readonly FieldError[] => {
  const has = (name: string): boolean => stringsAt(rule, name).length > 0;
  const problems: FieldError[] = [];
  if (!has('verbs')) {
    problems.push(required(`${field}.verbs`, 'verbs must contain at least one value'));
  }
  if (has('nonResourceURLs')) {
    const urls = stringsAt(rule, 'nonResourceURLs');
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

function validateAggregationRule(object: JsonObject): readonly FieldError[] {
  if (!object.has('aggregationRule')) return [];
  const field = 'aggregationRule.clusterRoleSelectors';
  const selectors = objectsAt(objectAt(object, 'aggregationRule'), 'clusterRoleSelectors');
  if (selectors.length === 0) {
    const detail = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
    return [required(field, detail)];
  }
  return errorsOfItems(selectors, (selector, index) => {
    const place = `${field}[${index}]`;
    const problems = validateLabelSelector(selector, place);
    return problems.length === 0
      ? []
      : [...problems, invalidValue(place, null, 'invalid label selector.')];
  });
}
