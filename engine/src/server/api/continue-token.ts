/** kube-apiserver's continue tokens: base64url of JSON with a revision and a start key. */

import { decodeGoBase64, encodeBase64Url } from '../../formats/base64.ts';
import { goJsonString } from '../../formats/go-json.ts';
import { decodeObject } from '../../formats/go-struct/decode.ts';
import { numberField, stringField } from '../../formats/go-struct/fields.ts';
import { int64, string, struct } from '../../formats/go-struct/shape.ts';
import { parseJsonWithPositions } from '../../formats/json-with-positions.ts';
import { badRequest } from '../../model/api-error.ts';
import { bodyLimits } from '../limits.ts';
import { throwStatus } from './status-error.ts';

/** The content of a continue token. */
export interface Continuation {
  /** Empty for the current state. */
  readonly revision: string;
  /** The first key of the rest of the list: a name, or `namespace/name`. */
  readonly start: string;
}

const utf8 = new TextEncoder();
const tokenVersion = 'meta.k8s.io/v1';

/** Returns the token that continues a list after the last key. */
export const continueToken = (revision: string, last: string): string => {
  const start = goJsonString(`${last}\0`);
  return encodeBase64Url(utf8.encode(`{"v":"${tokenVersion}","rv":${revision},"start":${start}}`));
};

const tokenShape = struct('storage.continueToken', ['v', string], ['rv', int64], ['start', string]);

/** Parses a token; throws a `StatusError` with kube-apiserver's message. */
export const readContinueToken = (token: string): Continuation => {
  const decoded = decodeGoBase64(token, { alphabet: 'url', padding: 'none' });
  if (decoded.kind === 'error') return failed(decoded.error);
  const tree = parseJsonWithPositions(decoded.bytes, bodyLimits.depth);
  if (tree.kind === 'error') return failed(tree.error);
  const fields = decodeObject(tree.root, tokenShape, 'encoding/json');
  if (fields.kind === 'error') return failed(fields.message);
  const version = stringField(fields.fields, 'v');
  const revision = numberField(fields.fields, 'rv') ?? 0n;
  const start = stringField(fields.fields, 'start');
  if (version !== tokenVersion) {
    return failed(`server does not recognize this encoded version ${version}`);
  }
  if (revision === 0n) {
    return failed(`incorrect encoded start resourceVersion (version ${tokenVersion})`);
  }
  if (start === '') return failed(`encoded start key empty (version ${tokenVersion})`);
  const place = start.startsWith('/') ? start.slice(1) : start;
  if (!isClean(place)) return failed(start);
  const text = revision < 0n ? '' : String(revision);
  return { revision: text, start: place };
};

const failed = (why: string): never =>
  throwStatus(badRequest(`invalid continue token: continue key is not valid: ${why}`));

const isClean = (place: string): boolean =>
  place === '' || place.split('/').every((part) => !['', '.', '..'].includes(part));
