/** Service accounts. */
import { dnsSubdomainProblems } from '../formats/api-names.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { ageColumn, nameColumn } from './columns.ts';
import type { FieldProblem } from './field-problem.ts';
import { type KindRules, kindRules } from './kind-rules.ts';
import { kindRow } from './kinds.ts';
import { kindMetadataProblems, kindMetadataUpdateProblems } from './metadata.ts';
import { objectAt, objectsAt, textAt, withMember } from './object-fields.ts';
import { bool, objectShape, struct, text, uid } from './shape.ts';

const secretReference = struct(
  'ObjectReference',
  'v1.ObjectReference',
  ['kind', text, { number: 1 }],
  ['namespace', text, { number: 2 }],
  ['name', text, { number: 3 }],
  ['uid', uid, { number: 4 }],
  ['apiVersion', text, { number: 5 }],
  ['resourceVersion', text, { number: 6 }],
  ['fieldPath', text, { number: 7 }],
);

const mountableAnnotation = 'kubernetes.io/enforce-mountable-secrets';

/** The rules of service accounts. */
export const serviceAccountRules: KindRules = kindRules({
  row: kindRow('serviceaccounts'),
  shape: objectShape(
    'ServiceAccount',
    [
      'secrets',
      { kind: 'list', goType: '[]v1.ObjectReference', item: secretReference },
      { number: 2, mergeKey: 'name', owned: { by: 'name', whole: true } },
    ],
    [
      'imagePullSecrets',
      {
        kind: 'list',
        goType: '[]v1.LocalObjectReference',
        item: struct('LocalObjectReference', 'v1.LocalObjectReference', [
          'name',
          text,
          { number: 1 },
        ]),
      },
      { number: 3, owned: 'whole' },
    ],
    ['automountServiceAccountToken', bool, { number: 4, written: 'given' }],
  ),
  description:
    'ServiceAccount binds together: * a name, understood by users, and perhaps by peripheral systems, for an identity * a principal that can be authenticated and authorized * a set of secrets',
  returnsDeleted: true,
  columns: [nameColumn, ageColumn],
  cells: (object, age) => [textAt(object, 'metadata', 'name'), age],
  preparedForCreate: withPlainReferences,
  preparedForUpdate: withPlainReferences,
  problems: accountProblems,
  updateProblems: (object, old) => [
    ...kindMetadataUpdateProblems(object, old),
    ...accountProblems(object),
  ],
  warnings: (object, old) =>
    isAnnotated(object) && !(old !== undefined && isAnnotated(old))
      ? [
          `metadata.annotations[${mountableAnnotation}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
        ]
      : [],
});

function accountProblems(object: JsonObject): readonly FieldProblem[] {
  return kindMetadataProblems(object, { namespaced: true, nameRule: dnsSubdomainProblems });
}

/** Of the secrets only the names are kept. */
function withPlainReferences(object: JsonObject): JsonObject {
  if (!object.has('secrets')) return object;
  const secrets = objectsAt(object, 'secrets').map(
    (secret): Json => new Map([['name', textAt(secret, 'name')]]),
  );
  return withMember(object, ['secrets'], secrets);
}

const isAnnotated = (object: JsonObject): boolean =>
  objectAt(object, 'metadata', 'annotations').has(mountableAnnotation);
