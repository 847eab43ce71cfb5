/** Secrets that are tokens, of bootstrapping and of service accounts; no other type is kept here. */
import { dataKeyProblems, dnsSubdomainProblems } from '../formats/api-names.ts';
import { decodeBase64Loosely, encodeBase64 } from '../formats/base64.ts';
import { sameJson } from '../formats/json-object.ts';
import { accountNameDomains, bootstrapSecretTypes } from '../model/api-domain.ts';
import type { Json, JsonObject } from '../model/json.ts';
import {
  accountNameAnnotation,
  accountTokenType,
  readAccountTokenSecret,
} from './account-token-secret.ts';
import { ageColumn, nameColumn } from './columns.ts';
import {
  type FieldProblem,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from './field-problem.ts';
import { type KindRules, kindRules } from './kind-rules.ts';
import { kindRow } from './kinds.ts';
import { kindMetadataProblems, kindMetadataUpdateProblems } from './metadata.ts';
import { memberAt, objectAt, textAt, withMember } from './object-fields.ts';
import { bool, objectShape, textMap } from './shape.ts';

/** All values of one secret together. */
export const secretBytes = 1024 * 1024;

const nameDomains = accountNameDomains('platform.io');

/** Supported types; kube-apiserver stores any. */
const keptTypes: readonly string[] = [
  ...bootstrapSecretTypes('platform.io'),
  ...nameDomains.map(accountTokenType).toReversed(),
];

/** The rules of secrets. */
export const secretRules: KindRules = kindRules({
  row: kindRow('secrets'),
  shape: objectShape(
    'Secret',
    ['immutable', bool, { number: 5, written: 'given' }],
    [
      'data',
      { kind: 'map', goType: 'map[string][]uint8', value: { kind: 'bytes' } },
      { number: 2 },
    ],
    ['stringData', textMap, { number: 4 }],
    ['type', { kind: 'string', goType: 'v1.SecretType' }, { number: 3 }],
  ),
  description:
    'Secret holds secret data of a certain type. The total bytes of the values in the Data field must be less than MaxSecretSize bytes.',
  selectable: (object) => new Map([['type', textAt(object, 'type')]]),
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
    textAt(object, 'metadata', 'name'),
    textAt(object, 'type'),
    objectAt(object, 'data').size,
    age,
  ],
  defaulted: withWrittenData,
  preparedForUpdate: (object, old) =>
    textAt(object, 'type') === '' ? withMember(object, ['type'], old.get('type')) : object,
  problems: secretProblems,
  createProblems: typeProblems,
  updateProblems: (object, old) => [
    ...kindMetadataUpdateProblems(object, old),
    ...immutableProblems(object, old),
    ...secretProblems(object),
  ],
});

/** `stringData` is a way to write `data`, and never read; no type is the type Opaque. */
function withWrittenData(object: JsonObject): JsonObject {
  const written = objectAt(object, 'stringData');
  const utf8 = new TextEncoder();
  const data = new Map(objectAt(object, 'data'));
  for (const [key, value] of written) {
    if (typeof value === 'string') data.set(key, encodeBase64(utf8.encode(value)));
  }
  const merged = data.size === 0 ? object : withMember(object, ['data'], data);
  const typed = textAt(object, 'type') === '' ? withMember(merged, ['type'], 'Opaque') : merged;
  return withMember(typed, ['stringData'], undefined);
}

const sizeOf = (value: Json): number => {
  if (typeof value !== 'string') return 0;
  const decoded = decodeBase64Loosely(value, { alphabet: 'standard', padding: 'required' });
  return decoded.kind === 'bytes' ? decoded.bytes.length : 0;
};

/** Returns a problem if the values of `data` are longer than `secretBytes` together. */
export const secretSizeProblems = (object: JsonObject): readonly FieldProblem[] => {
  const values = [...objectAt(object, 'data').values()];
  const size = values.reduce((sum: number, value) => sum + sizeOf(value), 0);
  return size > secretBytes ? [tooLong('data', secretBytes)] : [];
};

function secretProblems(object: JsonObject): readonly FieldProblem[] {
  const problems = [
    ...kindMetadataProblems(object, { namespaced: true, nameRule: dnsSubdomainProblems }),
  ];
  for (const key of objectAt(object, 'data').keys()) {
    problems.push(...dataKeyProblems(key).map((text) => invalidValue(`data[${key}]`, key, text)));
  }
  problems.push(...secretSizeProblems(object));
  const token = readAccountTokenSecret(object, nameDomains);
  if (token?.accountName === '') {
    problems.push(required(`metadata.annotations[${accountNameAnnotation(token.nameDomain)}]`));
  }
  return problems;
}

function typeProblems(object: JsonObject): readonly FieldProblem[] {
  const type = textAt(object, 'type');
  return keptTypes.includes(type) ? [] : [notSupported('type', type, keptTypes)];
}

const immutableProblems = (object: JsonObject, old: JsonObject): readonly FieldProblem[] => {
  const problems: FieldProblem[] = [];
  const type = textAt(object, 'type');
  if (type !== textAt(old, 'type')) {
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
