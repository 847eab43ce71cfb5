/** Reads the request of a case, and how its token is signed. */
import type { RowMap, RowReader } from '../../config/rows/read-rows.ts';
import { jsonText } from '../../documents/yaml/json-text.ts';
import { dataOf, listsByName, mapOf, textOf, textsOf, writtenOf } from './row-fields.ts';
import {
  certificateIssuers,
  type TestCertificate,
  type TestRequest,
  type TokenSigning,
  testAlgorithms,
} from './test-case.ts';

/** Returns the request; fields of later maps replace those of earlier ones. */
export const readRequest = (
  maps: readonly RowMap[],
  reader: Pick<RowReader, 'invalid'>,
): TestRequest | undefined => {
  const map: RowMap = {
    kind: 'map',
    fields: new Map(maps.flatMap(({ fields }) => [...fields])),
    path: maps.at(-1)?.path ?? '',
    span: maps.at(-1)?.span ?? { start: 0, end: 0 },
  };
  const headers = [
    ...[...listsByName(mapOf(map, 'headers'))].flatMap(([name, values]) =>
      values.map((value) => ({ name, value })),
    ),
    ...impersonationHeaders(mapOf(map, 'impersonate')),
  ];
  const invalid = headers.find(({ name, value }) => !isHeader(name, value));
  if (invalid !== undefined)
    return reader.invalid(map.fields.get('headers')?.span ?? map.span, {
      path: `${map.path}.headers`,
      problem: `${JSON.stringify(invalid.name.slice(0, 64))} is not a valid header field`,
      help: 'A name consists of letters, digits and dashes; a value has no line ends.',
    });
  return {
    method: textOf(map, 'method') ?? 'GET',
    path: textOf(map, 'path') ?? '/api',
    headers,
    certificate: certificateOf(map),
  };
};

const isHeader = (name: string, value: string): boolean =>
  /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/.test(name) && !/[\r\n\0]/.test(value);

/** Returns the header fields that kubectl sends for `--as`. */
const impersonationHeaders = (map: RowMap | undefined): TestRequest['headers'] => {
  if (map === undefined) return [];
  const user = textOf(map, 'user');
  const uid = textOf(map, 'uid');
  return [
    ...(user === undefined ? [] : [{ name: 'Impersonate-User', value: user }]),
    ...(uid === undefined ? [] : [{ name: 'Impersonate-Uid', value: uid }]),
    ...textsOf(map, 'groups').map((value) => ({ name: 'Impersonate-Group', value })),
    ...[...listsByName(mapOf(map, 'extra'))].flatMap(([key, values]) =>
      values.map((value) => ({ name: `Impersonate-Extra-${encodeURIComponent(key)}`, value })),
    ),
  ];
};

const certificateOf = (map: RowMap): TestCertificate | undefined => {
  const file = writtenOf(map, 'certificate');
  if (file !== undefined) return { kind: 'file', path: file.text, span: file.span };
  const issued = mapOf(map, 'certificate');
  if (issued === undefined) return undefined;
  const by = textOf(issued, 'issuedBy') ?? 'client-ca';
  return {
    kind: 'issued',
    by: certificateIssuers.find((one) => one === by) ?? 'unknown',
    commonName: textOf(issued, 'commonName') ?? '',
    organizations: textsOf(issued, 'organizations'),
  };
};

/** Returns how the token is signed; `undefined` if it is not. */
export const readSigning = (
  { fields }: RowMap,
  reader: Pick<RowReader, 'invalid'>,
): TokenSigning | undefined => {
  const value = fields.get('sign');
  if (value === undefined || (value.kind === 'bool' && !value.value)) return undefined;
  if (value.kind !== 'map') return defaultSigning;
  const written = textOf(value, 'algorithm');
  const header = dataOf(value, 'header');
  if (header?.byKey.has('crit'))
    reader.invalid(value.fields.get('header')?.span ?? value.span, {
      path: `${value.path}.header`,
      problem: 'tokens with the header parameter crit cannot be signed',
      help: 'Remove crit.',
    });
  return {
    algorithm: testAlgorithms.find((one) => one === written),
    key: textOf(value, 'key') === 'unknown' ? 'unknown' : 'issuer',
    header: header === undefined ? {} : JSON.parse(jsonText(header, maxHeaderLength) ?? '{}'),
  };
};

/** How the token of a request is signed if the case does not say it. */
export const defaultSigning: TokenSigning = { algorithm: undefined, key: 'issuer', header: {} };

const maxHeaderLength = 64 * 1024;
