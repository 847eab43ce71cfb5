/** Rules of service accounts. */

import { dnsSubdomainProblems } from '../formats/api-names.ts';
import { bool, string, struct, uid } from '../formats/go-struct/shape.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { ageColumn, nameColumn } from './columns.ts';
import type { FieldError } from './field-error.ts';
import { type KindRules, kindRules } from './kind-rules.ts';
import { kindRow } from './kinds.ts';
import { validateKindMetadata, validateKindMetadataUpdate } from './metadata.ts';
import { objectAt, objectsAt, stringAt, withMember } from './object-fields.ts';
import { objectShape } from './shape.ts';

const secretReference = struct(
  'v1.ObjectReference',
  ['kind', string, { number: 1 }],
  ['namespace', string, { number: 2 }],
  ['name', string, { number: 3 }],
  ['uid', uid, { number: 4 }],
  ['apiVersion', string, { number: 5 }],
  ['resourceVersion', string, { number: 6 }],
  ['fieldPath', string, { number: 7 }],
);

const mountableAnnotation = 'kubernetes.io/enforce-mountable-secrets';

/** Rules of the kind ServiceAccount. */
export const serviceAccountRules: KindRules = kindRules({
  row: kindRow('serviceaccounts'),
  shape: objectShape(
    'ServiceAccount',
    [
      'secrets',
      { kind: 'list', goType: '[]v1.ObjectReference', item: secretReference },
      { number: 2, mergeKey: 'name', ownership: { key: 'name', atomic: true } },
    ],
    [
      'imagePullSecrets',
      {
        kind: 'list',
        goType: '[]v1.LocalObjectReference',
        item: struct('v1.LocalObjectReference', ['name', string, { number: 1 }]),
      },
      { number: 3, ownership: 'atomic' },
    ],
    ['automountServiceAccountToken', bool, { number: 4, written: 'when-set' }],
  ),
  description:
    'ServiceAccount binds together: * a name, understood by users, and perhaps by peripheral systems, for an identity * a principal that can be authenticated and authorized * a set of secrets',
  returnDeletedObject: true,
  columns: [nameColumn, ageColumn],
  cells: (object, age) => [stringAt(object, 'metadata', 'name'), age],
  prepareForCreate: cleanSecretReferences,
  prepareForUpdate: cleanSecretReferences,
  validate: validateServiceAccount,
  validateUpdate: (object, old) => [
    ...validateKindMetadataUpdate(object, old),
    ...validateServiceAccount(object),
  ],
  warnings: (object, old) =>
    hasMountableAnnotation(object) && !(old !== undefined && hasMountableAnnotation(old))
      ? [
          `metadata.annotations[${mountableAnnotation}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
        ]
      : [],
});

function validateServiceAccount(object: JsonObject): readonly FieldError[] {
  return validateKindMetadata(object, { namespaced: true, nameRule: dnsSubdomainProblems });
}

/**
 * Removes everything but the names of the listed Secrets, like kube-apiserver's
 * cleanSecretReferences.
 */
function cleanSecretReferences(object: JsonObject): JsonObject {
  if (!object.has('secrets')) return object;
  const secrets = objectsAt(object, 'secrets').map(
    (secret): Json => new Map([['name', stringAt(secret, 'name')]]),
  );
  return withMember(object, ['secrets'], secrets);
}

const hasMountableAnnotation = (object: JsonObject): boolean =>
  objectAt(object, 'metadata', 'annotations').has(mountableAnnotation);
