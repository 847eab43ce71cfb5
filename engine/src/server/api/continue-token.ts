/** Where a list goes on: the real server's token, base64 of JSON with a revision and a place. */
import { decodeGoBase64, encodeBase64Url } from '../../formats/base64.ts';
import { foldName, goFieldTypeError, goTypeError } from '../../formats/go-json.ts';
import { goJsonString } from '../../formats/go-json-string.ts';
import { parseJsonWithPositions } from '../../formats/json-with-positions.ts';
import { bodyLimits } from '../limits.ts';
import type { JsonValue } from '../wire/json-value.ts';

/** What a token says. */
export interface Continuation {
  /** Empty: whatever is there now. */
  readonly revision: string;
  /** The first place that may be in the rest of the list: a name, or `namespace/name`. */
  readonly start: string;
}

export type ContinuationReading =
  | { readonly kind: 'continuation'; readonly continuation: Continuation }
  | { readonly kind: 'error'; readonly message: string };

const utf8 = new TextEncoder();
const tokenVersion = 'meta.k8s.io/v1';

/** The token of a list at a revision that goes on behind the last place. */
export const continueToken = (revision: string, last: string): string => {
  const start = goJsonString(`${last}\0`);
  return encodeBase64Url(utf8.encode(`{"v":"${tokenVersion}","rv":${revision},"start":${start}}`));
};

/** Reads a token; the message is the real server's. */
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

/** Nobody may leave the list by its path. */
const isClean = (place: string): boolean =>
  place === '' || place.split('/').every((part) => !['', '.', '..'].includes(part));

interface TokenFields {
  version: string;
  revision: bigint;
  start: string;
  /** The first value of a wrong type. */
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

/** Takes a field; what is wrong with it. */
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
