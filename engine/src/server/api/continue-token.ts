/** kube-apiserver's continue tokens: base64url of JSON with a revision and a start key. */
import { decodeGoBase64, encodeBase64Url } from '../../formats/base64.ts';
import { foldName, goFieldTypeError, goTypeError } from '../../formats/go-json.ts';
import { goJsonString } from '../../formats/go-json-string.ts';
import { parseJsonWithPositions } from '../../formats/json-with-positions.ts';
import { bodyLimits } from '../limits.ts';
import type { JsonValue } from '../wire/json-value.ts';

/** The content of a continue token. */
export interface Continuation {
  /** Empty for the current state. */
  readonly revision: string;
  /** The first key of the rest of the list: a name, or `namespace/name`. */
  readonly start: string;
}

export type ContinuationReading =
  | { readonly kind: 'continuation'; readonly continuation: Continuation }
  | { readonly kind: 'error'; readonly message: string };

const utf8 = new TextEncoder();
const tokenVersion = 'meta.k8s.io/v1';

/** Returns the token that continues a list after the last key. */
export const continueToken = (revision: string, last: string): string => {
  const start = goJsonString(`${last}\0`);
  return encodeBase64Url(utf8.encode(`{"v":"${tokenVersion}","rv":${revision},"start":${start}}`));
};

/** Parses a token; the error message is kube-apiserver's. */
export const readContinueToken = (token: string): ContinuationReading => {
  const decoded = decodeGoBase64(token, { alphabet: 'url', padding: 'none' });
  if (decoded.kind === 'error') return failed(decoded.error);
  const tree = parseJsonWithPositions(decoded.bytes, bodyLimits.depth);
  if (tree.kind === 'error') return failed(tree.error);
  const { version, revision, start, misfit } = fieldsOf(tree.root);
  if (misfit !== undefined) return failed(misfit);
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
  return { kind: 'continuation', continuation: { revision: text, start: place } };
};

const failed = (why: string): ContinuationReading => ({
  kind: 'error',
  message: `invalid continue token: continue key is not valid: ${why}`,
});

/** Rejects keys that would leave the path of the list. */
const isClean = (place: string): boolean =>
  place === '' || place.split('/').every((part) => !['', '.', '..'].includes(part));

interface TokenFields {
  version: string;
  revision: bigint;
  start: string;
  /** The error of the first value with a wrong type. */
  misfit: string | undefined;
}

const fieldsOf = (value: JsonValue): TokenFields => {
  const fields: TokenFields = { version: '', revision: 0n, start: '', misfit: undefined };
  if (value.kind === 'null') return fields;
  if (value.kind !== 'object') {
    return { ...fields, misfit: goTypeError(value.kind, 'storage.continueToken') };
  }
  for (const { name, value: member } of value.members) {
    fields.misfit ??= readField(fields, foldName(name), member);
  }
  return fields;
};

/** Stores the value of a field, or returns its type error. */
const readField = (fields: TokenFields, name: string, value: JsonValue): string | undefined => {
  const misfit = (type: string, found: string = value.kind): string =>
    goFieldTypeError(found, `continueToken.${name}`, type);
  if (value.kind === 'null') return undefined;
  if (name === 'rv') {
    if (value.kind !== 'number') return misfit('int64');
    const number = /^-?\d{1,19}$/.test(value.literal) ? BigInt(value.literal) : undefined;
    if (number === undefined || BigInt.asIntN(64, number) !== number) {
      return misfit('int64', `number ${value.literal}`);
    }
    fields.revision = number;
  }
  if (name !== 'v' && name !== 'start') return undefined;
  if (value.kind !== 'string') return misfit('string');
  if (name === 'v') fields.version = value.text;
  else fields.start = value.text;
  return undefined;
};
