/**
 * OpenAPI documents, generated from the shapes of the kinds: paths with their parameters, and
 * schemas.
 */

import type { FieldRow, Shape, StructShape } from '../../formats/go-struct/shape.ts';
import {
  type OutputMap,
  type OutputValue,
  outputMap,
  sortedMap,
} from '../../formats/output-value.ts';
import type { KindRules } from '../../resources/kind-rules.ts';
import { allKindRules } from '../../resources/registry.ts';
import { authenticationGroups, rbacGroups, servedVersion } from '../api-groups.ts';

/** Returns the document of a routed path. */
export const openApiDocument = (path: string): OutputMap => {
  if (path === '/openapi/v2') return swagger();
  if (path === '/openapi/v3') return index();
  const group = path.slice('/openapi/v3/'.length);
  return groupDocument(group);
};

const groupPaths: readonly string[] = [
  `api/${servedVersion}`,
  ...[...authenticationGroups.keys(), ...rbacGroups.keys()].map(
    (group) => `apis/${group}/${servedVersion}`,
  ),
];

const index = (): OutputMap =>
  outputMap([
    'paths',
    sortedMap(
      groupPaths.map((path): [string, OutputValue] => [
        path,
        outputMap(['serverRelativeURL', `/openapi/v3/${path}?hash=${servedVersion}`]),
      ]),
    ),
  ]);

const info = outputMap(['title', 'Kubernetes'], ['version', 'v1.36.3']);

/** Returns the group of a document: empty for `api/v1`. */
const groupOf = (path: string): string =>
  path.startsWith('api/') ? '' : (path.split('/')[1] ?? '');

const kindsOf = (group: string): readonly KindRules[] =>
  authenticationGroups.has(group)
    ? []
    : allKindRules.filter(({ row }) => (row.group === 'rbac') === (group !== ''));

const groupDocument = (path: string): OutputMap => {
  const group = groupOf(path);
  const rules = kindsOf(group);
  return outputMap(
    ['openapi', '3.0.0'],
    ['info', info],
    ['paths', sortedMap(rules.flatMap((rule) => pathsOf(rule, group, 'v3')))],
    ['components', outputMap(['schemas', schemasOf(rules, group, '#/components/schemas/')])],
  );
};

const swagger = (): OutputMap => {
  const groups = ['', ...rbacGroups.keys()];
  const schemas = groups.flatMap((group) => [
    ...schemasOf(kindsOf(group), group, '#/definitions/'),
  ]);
  return outputMap(
    ['swagger', '2.0'],
    ['info', info],
    [
      'paths',
      sortedMap(
        groups.flatMap((group) => kindsOf(group).flatMap((rule) => pathsOf(rule, group, 'v2'))),
      ),
    ],
    ['definitions', sortedMap(schemas)],
  );
};

const pathsOf = (
  { row }: KindRules,
  group: string,
  form: 'v2' | 'v3',
): readonly [string, OutputValue][] => {
  const base = group === '' ? `/api/${servedVersion}` : `/apis/${group}/${servedVersion}`;
  const collection = row.namespaced
    ? `${base}/namespaces/{namespace}/${row.resource}`
    : `${base}/${row.resource}`;
  const type: readonly [string, OutputValue] = [
    'x-kubernetes-group-version-kind',
    outputMap(['group', group], ['kind', row.kind], ['version', servedVersion]),
  ];
  const operation = (action: string, ...parameters: readonly string[]): OutputMap =>
    outputMap(
      ['operationId', `${action}${row.kind}`],
      ['parameters', parameters.map((name) => parameter(name, form))],
      ['responses', outputMap(['200', outputMap(['description', 'OK'])])],
      ['x-kubernetes-action', action],
      type,
    );
  const writeParameters = ['dryRun', 'fieldManager', 'fieldValidation'];
  return [
    [
      collection,
      outputMap(
        ['get', operation('list', 'labelSelector', 'fieldSelector', 'limit', 'continue', 'watch')],
        ['post', operation('post', ...writeParameters)],
        ['delete', operation('deletecollection', 'labelSelector', 'fieldSelector', 'dryRun')],
      ),
    ],
    [
      `${collection}/{name}`,
      outputMap(
        ['get', operation('get')],
        ['put', operation('put', ...writeParameters)],
        ['patch', operation('patch', ...writeParameters)],
        ['delete', operation('delete', 'dryRun', 'propagationPolicy')],
      ),
    ],
  ];
};

const parameter = (name: string, form: 'v2' | 'v3'): OutputMap =>
  outputMap(
    ['name', name],
    ['in', 'query'],
    ...(form === 'v2'
      ? [['type', 'string'] as const]
      : [['schema', outputMap(['type', 'string'])] as const]),
  );

/** Returns the schemas of the kinds and of the structs in them, under upstream's names. */
const schemasOf = (rules: readonly KindRules[], group: string, refPrefix: string): OutputMap => {
  const schemas = new Map<string, OutputValue>();
  for (const { row, shape, description } of rules) {
    const schema = new Map(structSchema(shape, { refPrefix, schemas }));
    schema.set('description', description);
    schema.set('x-kubernetes-group-version-kind', [
      outputMap(['group', group], ['kind', row.kind], ['version', servedVersion]),
    ]);
    schemas.set(schemaName(shape, group), schema);
  }
  return sortedMap(schemas);
};

/** Returns a name such as `io.k8s.api.core.v1.Pod`. */
const schemaName = ({ name }: StructShape, group: string): string => {
  const domain = group.split('.').slice(-2).reverse().join('.');
  return group === ''
    ? `io.k8s.api.core.${servedVersion}.${name}`
    : `${domain}.api.rbac.${servedVersion}.${name}`;
};

interface SchemaParts {
  readonly refPrefix: string;
  readonly schemas: Map<string, OutputValue>;
}

const structSchema = (shape: StructShape, parts: SchemaParts): OutputMap =>
  outputMap(
    ['type', 'object'],
    [
      'properties',
      sortedMap(
        shape.rows.map((row): [string, OutputValue] => [row.name, fieldSchema(row, parts)]),
      ),
    ],
  );

const fieldSchema = (row: FieldRow, parts: SchemaParts): OutputMap => {
  const schema = new Map(shapeSchema(row.shape, parts));
  if (row.mergeKey !== undefined) {
    schema.set('x-kubernetes-patch-strategy', 'merge');
    if (row.mergeKey !== 'value') schema.set('x-kubernetes-patch-merge-key', row.mergeKey);
  }
  return schema;
};

const shapeSchema = (shape: Shape, parts: SchemaParts): OutputMap => {
  switch (shape.kind) {
    case 'string':
      return outputMap(['type', 'string']);
    case 'bool':
      return outputMap(['type', 'boolean']);
    case 'int64':
      return outputMap(['type', 'integer'], ['format', 'int64']);
    case 'bytes':
      return outputMap(['type', 'string'], ['format', 'byte']);
    case 'time':
      return outputMap(['type', 'string'], ['format', 'date-time']);
    case 'list':
      return outputMap(['type', 'array'], ['items', shapeSchema(shape.item, parts)]);
    case 'map':
      return outputMap(
        ['type', 'object'],
        ['additionalProperties', shapeSchema(shape.value, parts)],
      );
    case 'struct':
      return reference(shape, parts);
    default:
      return outputMap(['type', 'object'], ['x-kubernetes-preserve-unknown-fields', true]);
  }
};

/** Returns a reference to the schema of a nested struct. */
const reference = (shape: StructShape, parts: SchemaParts): OutputMap => {
  const name =
    shape.name === 'ObjectMeta'
      ? `io.k8s.apimachinery.pkg.apis.meta.${servedVersion}.ObjectMeta`
      : schemaName(shape, '');
  if (!parts.schemas.has(name)) {
    parts.schemas.set(name, outputMap());
    parts.schemas.set(name, structSchema(shape, parts));
  }
  return outputMap(['$ref', `${parts.refPrefix}${name}`]);
};
