/**
 * Rules of Secrets with bootstrap tokens or service account tokens; other types cannot be stored.
 */

import { dataKeyProblems, dnsSubdomainProblems } from '../formats/api-names.ts';
import { decodeGoBase64, encodeBase64 } from '../formats/base64.ts';
import { bool, stringMap } from '../formats/go-struct/shape.ts';
import { sameJson } from '../formats/json-as-maps.ts';
import { accountNameDomains, bootstrapSecretTypes } from '../model/api-domain.ts';
import type { Json, JsonObject } from '../model/json.ts';
import {
  accountNameAnnotation,
  accountTokenType,
  readAccountTokenSecret,
} from './account-token-secret.ts';
import { ageColumn, nameColumn } from './columns.ts';
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from './field-error.ts';
import { type KindRules, kindRules } from './kind-rules.ts';
import { kindRow } from './kinds.ts';
import { validateKindMetadata, validateKindMetadataUpdate } from './metadata.ts';
import { memberAt, objectAt, stringAt, withMember } from './object-fields.ts';
import { objectShape } from './shape.ts';

/** Maximum size of all values of a Secret together. */
export const secretBytes = 1024 * 1024;

const nameDomains = accountNameDomains('platform.io');

/** Supported types; kube-apiserver stores any. */
const supportedTypes: readonly string[] = [
  ...bootstrapSecretTypes('platform.io'),
  ...nameDomains.map(accountTokenType).toReversed(),
];

/** Rules of the kind Secret. */
export const secretRules: KindRules = kindRules({
  row: kindRow('secrets'),
  shape: objectShape(
    'Secret',
    ['immutable', bool, { number: 5, written: 'when-set' }],
    [
      'data',
      { kind: 'map', goType: 'map[string][]uint8', value: { kind: 'bytes' } },
      { number: 2 },
    ],
    ['stringData', stringMap, { number: 4 }],
    ['type', { kind: 'string', goType: 'v1.SecretType' }, { number: 3 }],
  ),
  description:
    'Secret holds secret data of a certain type. The total bytes of the values in the Data field must be less than MaxSecretSize bytes.',
  selectableFields: (object) => new Map([['type', stringAt(object, 'type')]]),
  columns: [
    nameColumn,
    {
      name: 'Type',
      description:
        'Used to facilitate programmatic handling of secret data. More info: https://kubernetes.io/docs/concepts/configuration/secret/#secret-types',
    },
    {
      name: 'Data',
      description:
        "Data contains the secret data. Each key must consist of alphanumeric characters, '-', '_' or '.'. The serialized form of the secret data is a base64 encoded string, representing the arbitrary (possibly non-string) data value here. Described in https://tools.ietf.org/html/rfc4648#section-4",
    },
    ageColumn,
  ],
  cells: (object, age) => [
    stringAt(object, 'metadata', 'name'),
    stringAt(object, 'type'),
    objectAt(object, 'data').size,
    age,
  ],
  applyDefaults: withStringData,
  prepareForUpdate: (object, old) =>
    stringAt(object, 'type') === '' ? withMember(object, ['type'], old.get('type')) : object,
  validate: validateSecret,
  validateCreate: validateType,
  validateUpdate: (object, old) => [
    ...validateKindMetadataUpdate(object, old),
    ...validateImmutableFields(object, old),
    ...validateSecret(object),
  ],
});

/** Moves the write-only `stringData` to `data`, and sets the default type Opaque. */
function withStringData(object: JsonObject): JsonObject {
  const written = objectAt(object, 'stringData');
  const utf8 = new TextEncoder();
  const data = new Map(objectAt(object, 'data'));
  for (const [key, value] of written) {
    if (typeof value === 'string') data.set(key, encodeBase64(utf8.encode(value)));
  }
  const merged = data.size === 0 ? object : withMember(object, ['data'], data);
  const typed = stringAt(object, 'type') === '' ? withMember(merged, ['type'], 'Opaque') : merged;
  return withMember(typed, ['stringData'], undefined);
}

const sizeOf = (value: Json): number => {
  if (typeof value !== 'string') return 0;
  const decoded = decodeGoBase64(value, { alphabet: 'standard', padding: 'required' });
  return decoded.kind === 'bytes' ? decoded.bytes.length : 0;
};

/** Returns an error if the values of `data` are longer than `secretBytes` together. */
export const validateSecretSize = (object: JsonObject): readonly FieldError[] => {
  const values = [...objectAt(object, 'data').values()];
  const size = values.reduce((sum: number, value) => sum + sizeOf(value), 0);
  return size > secretBytes ? [tooLong('data', secretBytes)] : [];
};

function validateSecret(object: JsonObject): readonly FieldError[] {
  const problems = [
    ...validateKindMetadata(object, { namespaced: true, nameRule: dnsSubdomainProblems }),
  ];
  for (const key of objectAt(object, 'data').keys()) {
    problems.push(...dataKeyProblems(key).map((text) => invalidValue(`data[${key}]`, key, text)));
  }
  problems.push(...validateSecretSize(object));
  const token = readAccountTokenSecret(object, nameDomains);
  if (token?.accountName === '') {
    problems.push(required(`metadata.annotations[${accountNameAnnotation(token.nameDomain)}]`));
  }
  return problems;
}

function validateType(object: JsonObject): readonly FieldError[] {
  const type = stringAt(object, 'type');
  return supportedTypes.includes(type) ? [] : [notSupported('type', type, supportedTypes)];
}

const validateImmutableFields = (object: JsonObject, old: JsonObject): readonly FieldError[] => {
  const problems: FieldError[] = [];
  const type = stringAt(object, 'type');
  if (type !== stringAt(old, 'type')) {
    problems.push(invalidValue('type', type, 'field is immutable'));
  }
  if (old.get('immutable') !== true) return problems;
  const detail = 'field is immutable when `immutable` is set';
  if (object.get('immutable') !== true) problems.push(forbiddenField('immutable', detail));
  if (!sameJson(memberAt(object, 'data'), memberAt(old, 'data'))) {
    problems.push(forbiddenField('data', detail));
  }
  return problems;
};
