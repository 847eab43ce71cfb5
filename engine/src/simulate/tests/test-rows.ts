/**
 * The fields of a test file (`*.authtest.yaml`) and of a request file. The reader, the JSON Schemas,
 * the documentation and the editor use these tables.
 */
import type { Row, RowType } from '../../config/rows/row.ts';
import { parseGoRfc3339 } from '../../formats/go-rfc3339.ts';
import { releaseName, releases } from '../../model/release.ts';
import { certificateIssuers, testAlgorithms } from './test-case.ts';

/** The end of the name of every test file. */
export const testFileSuffix = '.authtest.yaml';

/** Returns whether a path is that of a test file. */
export const isTestFile = (path: string): boolean => path.endsWith(testFileSuffix);

/** Cases of a file, and rows of a case. */
export const maxTestCases = 10_000;

const text: RowType = { kind: 'string' };
const anyText: RowType = { kind: 'string', mayBeEmpty: true };
const texts: RowType = { kind: 'list', item: text };
const header: RowType = { kind: 'either', types: [anyText, { kind: 'list', item: anyText }] };

const time: RowType = {
  kind: 'string',
  pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
  problem: (written) =>
    parseGoRfc3339(written) === undefined
      ? 'must be a time such as 2026-01-31T12:00:00Z'
      : undefined,
};

const path: RowType = {
  kind: 'string',
  problem: (written) =>
    /^(?:[\\/]|[A-Za-z][A-Za-z\d+.-]*:)/.test(written)
      ? 'must be a path relative to the folder of this file'
      : undefined,
};

const extra: RowType = { kind: 'names', value: { kind: 'list', item: anyText } };

const userRows: readonly Row[] = [
  { name: 'username', doc: 'The username.', type: anyText },
  { name: 'uid', doc: 'The UID.', type: anyText },
  {
    name: 'groups',
    doc: 'The groups in their order. system:authenticated, which every authenticated user has, may be left out.',
    type: { kind: 'list', item: anyText },
  },
  { name: 'extra', doc: 'The extra keys with their values.', type: extra },
];

const rejectionRows: readonly Row[] = [
  { name: 'code', doc: 'The code of the rejection, such as AG5013.', type: text },
  {
    name: 'at',
    doc: 'The part of the configuration that rejects, such as jwt[0].claimValidationRules[1].',
    type: text,
  },
  {
    name: 'message',
    doc: 'A part of the message in the log of kube-apiserver.',
    type: text,
  },
];

const expectRows: readonly Row[] = [
  {
    name: 'user',
    doc: 'The whole user. Fields that are absent must be empty. A string stands for a username, and the other fields are not compared.',
    type: { kind: 'either', types: [{ kind: 'map', rows: userRows }, text] },
  },
  {
    name: 'userIncludes',
    doc: 'A part of the user, who must be accepted: fields that are absent are not compared, and there may be further groups and extra keys.',
    type: { kind: 'map', rows: userRows },
  },
  {
    name: 'withoutGroups',
    doc: 'Groups that the user must not have. The request must be accepted.',
    type: texts,
  },
  {
    name: 'rejected',
    doc: 'The request gets a 401: true, the code of the rejection, or a map with its code, part and message.',
    type: {
      kind: 'either',
      types: [{ kind: 'map', rows: rejectionRows }, text, { kind: 'bool' }],
      forms: 'true, a code such as AG5013, or a map with code, at or message',
    },
  },
  {
    name: 'forbidden',
    doc: 'The impersonation is denied with a 403: true, or a part of the message.',
    type: {
      kind: 'either',
      types: [text, { kind: 'bool' }],
      forms: 'true or a part of the message',
    },
  },
  {
    name: 'by',
    doc: 'The authenticator that accepts or rejects: jwt[0], client-certificate, authenticating-proxy, static-token, service-account-token, legacy-service-account-token, bootstrap-token, anonymous, or none.',
    type: text,
  },
  {
    name: 'maxCost',
    doc: 'The most that the CEL expressions may cost together, in units of kube-apiserver.',
    type: { kind: 'int', least: 0, most: Number.MAX_SAFE_INTEGER },
  },
];

const signRows: readonly Row[] = [
  {
    name: 'algorithm',
    doc: 'The signature algorithm. ES256, or the first one that the authenticator allows, if absent.',
    type: { kind: 'choice', values: testAlgorithms },
  },
  {
    name: 'key',
    doc: 'issuer: a key that the issuer publishes. unknown: another key, so that the signature is invalid.',
    type: { kind: 'choice', values: ['issuer', 'unknown'] },
  },
  {
    name: 'header',
    doc: 'Header parameters of the token in addition to alg and kid, such as typ, but not crit.',
    type: { kind: 'data' },
  },
];

const certificateRows: readonly Row[] = [
  { name: 'commonName', doc: 'The common name: the username.', type: text, required: true },
  { name: 'organizations', doc: 'The organizations: the groups.', type: texts },
  {
    name: 'issuedBy',
    doc: 'The test authority that issues the certificate. It is trusted in addition to those of --client-ca-file or --requestheader-client-ca-file; unknown is trusted by neither. client-ca if absent.',
    type: { kind: 'choice', values: certificateIssuers },
  },
];

const impersonateRows: readonly Row[] = [
  { name: 'user', doc: 'The value of Impersonate-User.', type: anyText },
  { name: 'uid', doc: 'The value of Impersonate-Uid.', type: text },
  { name: 'groups', doc: 'The values of Impersonate-Group.', type: texts },
  { name: 'extra', doc: 'Keys and values of Impersonate-Extra-*.', type: extra },
];

const httpRows: readonly Row[] = [
  { name: 'method', doc: 'The method; GET if absent.', type: text },
  { name: 'path', doc: 'The path with its query; /api if absent.', type: text },
  {
    name: 'headers',
    doc: 'Header fields; a list of values is a repeated field.',
    type: { kind: 'names', value: header },
  },
  {
    name: 'certificate',
    doc: 'The client certificate: a PEM file, relative to the folder of this file, or a map for a certificate that is issued for the test.',
    type: { kind: 'either', types: [path, { kind: 'map', rows: certificateRows }] },
  },
  {
    name: 'impersonate',
    doc: 'The user to impersonate, for the header fields Impersonate-*.',
    type: { kind: 'map', rows: impersonateRows },
  },
];

const claimRows = (presets: readonly string[]): readonly Row[] => [
  {
    name: 'preset',
    doc: 'Claims as a provider sends them, which the other fields change.',
    type: { kind: 'choice', values: presets },
  },
  {
    name: 'sample',
    doc: 'The name of claims: those under samples, or NAME.claims.json or NAME.claims.yaml in the folder of this file.',
    type: {
      kind: 'string',
      problem: (name) =>
        /[\\/]|^\.\.?$/.test(name)
          ? 'must be a name without slashes; add a path to samples'
          : undefined,
    },
  },
  {
    name: 'claims',
    doc: 'Claims, each of which replaces the one of the same name.',
    type: { kind: 'data' },
  },
  { name: 'without', doc: 'Names of claims to remove.', type: texts },
];

const inputRows = (presets: readonly string[]): readonly Row[] => [
  ...claimRows(presets),
  {
    name: 'now',
    doc: 'The time of the decision, such as 2026-01-31T12:00:00Z. The time of iat, or the start of 2026, if absent.',
    type: time,
  },
  {
    name: 'sign',
    doc: 'Signs the claims as a token, which is verified completely: true, or how to sign it.',
    type: { kind: 'either', types: [{ kind: 'bool' }, { kind: 'map', rows: signRows }] },
  },
  {
    name: 'request',
    doc: 'The rest of a whole request, which every configured authenticator may decide.',
    type: { kind: 'map', rows: httpRows },
  },
];

const rowRows = (presets: readonly string[]): readonly Row[] => [
  { name: 'name', doc: 'The name of the row; its number if absent.', type: text },
  ...inputRows(presets),
  {
    name: 'expect',
    doc: 'What is expected, in addition to what the case expects.',
    type: { kind: 'map', rows: expectRows },
  },
];

const caseRows = (presets: readonly string[]): readonly Row[] => [
  { name: 'name', doc: 'What the case shows.', type: text, required: true },
  ...inputRows(presets),
  {
    name: 'rows',
    doc: 'A table: each row changes the input and the expectation of the case.',
    type: { kind: 'list', item: { kind: 'map', rows: rowRows(presets) }, most: maxTestCases },
  },
  { name: 'expect', doc: 'What is expected.', type: { kind: 'map', rows: expectRows } },
];

const environmentRows: readonly Row[] = [
  {
    name: 'flags',
    doc: 'Flags of kube-apiserver for the other authenticators, such as --token-auth-file=tokens.csv. Files are relative to the folder of this file.',
    type: texts,
  },
  {
    name: 'objects',
    doc: 'Manifests with a snapshot of the stored objects: service accounts, Secrets, pods, roles and bindings. Relative to the folder of this file.',
    type: { kind: 'list', item: path },
  },
];

/** The fields of a test file. */
export const testRows = (presets: readonly string[]): readonly Row[] => [
  {
    name: 'configuration',
    doc: 'The configuration file, relative to the folder of this file. FILE#NAME selects one of several configurations.',
    type: path,
  },
  {
    name: 'targetVersion',
    doc: 'The release of kube-apiserver to emulate, in quotes. The one of the settings file, or the newest one, if absent.',
    type: { kind: 'choice', values: releases.map(releaseName) },
  },
  {
    name: 'now',
    doc: 'The time of all decisions, unless a case has its own.',
    type: time,
  },
  ...environmentRows,
  {
    name: 'samples',
    doc: 'Named claims: a map of claims, or a file with them, relative to the folder of this file.',
    type: { kind: 'names', value: { kind: 'either', types: [{ kind: 'data' }, path] } },
  },
  {
    name: 'base',
    doc: 'Claims that every case extends.',
    type: { kind: 'map', rows: claimRows(presets) },
  },
  {
    name: 'tests',
    doc: 'The cases.',
    type: { kind: 'list', item: { kind: 'map', rows: caseRows(presets) }, most: maxTestCases },
    required: true,
  },
];

/** The fields of a request file for `authgraph whoami --request`. */
export const requestRows = (presets: readonly string[]): readonly Row[] => [
  ...environmentRows,
  ...inputRows(presets).filter(({ name }) => name !== 'request' && name !== 'sample'),
  ...httpRows,
];
