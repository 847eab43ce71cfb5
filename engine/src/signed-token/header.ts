/**
 * Parses the protected header of a compact JWS as go-jose v2 does: `alg`, `kid`, `nonce`, `jwk` and
 * `x5c` must have the right types and members must not be duplicated; other members are only
 * checked for valid JSON. Keys and URLs in the header (`jku`, `x5u`, `jwk`, `x5c`) are never used.
 */
import { decodeBase64Url } from '../formats/base64.ts';
import { goTypeError } from '../formats/go-json.ts';
import { goQuote } from '../formats/go-quote.ts';
import { type JsonNode, parseJsonWithPositions, rawJson } from '../formats/json-with-positions.ts';
import { decodeUtf8Loosely, encodeUtf8 } from '../formats/utf8.ts';
import { repeatedProblem, untypedProblem } from './untyped-value.ts';
import { readChain, readWebKey } from './web-key.ts';

export interface TokenHeader {
  readonly kind: 'header';
  /** The value of `alg`; empty if absent. */
  readonly algorithm: string;
  readonly keyId: string;
  /** True if the header has `crit` or `b64`, in whatever form. */
  readonly hasCritOrB64: boolean;
  /** False if `crit` names an unsupported extension; no key can then match. */
  readonly isCritSupported: boolean;
  /** False if the payload is signed unencoded (RFC 7797). */
  readonly encodedPayload: boolean;
  /** Nesting depth of the header. */
  readonly depth: number;
}

export type HeaderReading =
  | TokenHeader
  /** The error, worded to follow `oidc: malformed jwt: `. */
  | { readonly kind: 'error'; readonly error: string };

/** Parses the bytes of a header. */
export const readHeader = (bytes: Uint8Array): HeaderReading => {
  if (bytes.length === 0) return emptyHeader;
  const tree = parseJsonWithPositions(bytes, Number.POSITIVE_INFINITY);
  if (tree.kind === 'error') return tree;
  const { root } = tree;
  if (root.kind === 'null') return emptyHeader;
  if (root.kind !== 'object') {
    return { kind: 'error', error: goTypeError(root.kind, 'jose.rawHeader') };
  }
  const repeated = repeatedProblem(root.members);
  if (repeated !== undefined) return { kind: 'error', error: repeated };
  const members = new Map<string, JsonNode>();
  for (const { name, value } of root.members) {
    if (value.kind === 'null') continue;
    const error = memberProblem(name, value, bytes);
    if (error !== undefined) return { kind: 'error', error };
    members.set(name, value);
  }
  return {
    kind: 'header',
    algorithm: stringOf(members.get('alg')),
    keyId: stringOf(members.get('kid')),
    hasCritOrB64: root.members.some(({ name }) => name === 'crit' || name === 'b64'),
    isCritSupported: supportsCrit(members.get('crit')),
    encodedPayload: !isFalse(members.get('b64')),
    depth: depthOf(root),
  };
};

/** Creates a parser that caches headers; all tokens of an issuer have one of a few headers. */
export const memoizedHeaderReader = (): ((text: string) => HeaderReading | undefined) => {
  const readings = new Map<string, HeaderReading>();
  return (text) => {
    const known = readings.get(text);
    if (known !== undefined) return known;
    const bytes = decodeBase64Url(text);
    if (bytes === undefined) return undefined;
    const reading = readHeader(bytes);
    if (text.length <= maxCachedHeaderLength) {
      if (readings.size >= maxCachedHeaders) readings.clear();
      // Copied, because a substring keeps the whole token in memory.
      readings.set(decodeUtf8Loosely(encodeUtf8(text)), reading);
    }
    return reading;
  };
};

const maxCachedHeaders = 1024;
const maxCachedHeaderLength = 2048;

const emptyHeader: TokenHeader = {
  kind: 'header',
  algorithm: '',
  keyId: '',
  hasCritOrB64: false,
  isCritSupported: true,
  encodedPayload: true,
  depth: 0,
};

const stringOf = (node: JsonNode | undefined): string => (node?.kind === 'string' ? node.text : '');

const isFalse = (node: JsonNode | undefined): boolean => node?.kind === 'bool' && !node.value;

/** Returns true if `crit` names nothing but `b64`. */
const supportsCrit = (critical: JsonNode | undefined): boolean =>
  critical === undefined ||
  (critical.kind === 'array' &&
    critical.items.every((item) => item.kind === 'string' && item.text === 'b64'));

const stringMembers: ReadonlyMap<string, string> = new Map([
  ['kid', 'key ID'],
  ['alg', 'algorithm'],
  ['nonce', 'nonce'],
]);

const memberProblem = (name: string, value: JsonNode, bytes: Uint8Array): string | undefined => {
  const what = stringMembers.get(name);
  if (what !== undefined) {
    return value.kind === 'string'
      ? undefined
      : unmarshalError(what, goTypeError(value.kind, 'string'), rawJson(bytes, value));
  }
  if (name === 'jwk') return embeddedKeyProblem(value, bytes);
  const error = name === 'x5c' ? chainProblem(value) : untypedProblem(value);
  const place = name === 'x5c' ? 'x5c header' : 'value';
  return error && unmarshalError(place, error, rawJson(bytes, value));
};

const unmarshalError = (what: string, error: string, raw: string): string =>
  `failed to unmarshal ${what}: ${error}: ${goQuote(raw)}`;

/**
 * Validates an embedded key, which is not used: an invalid or private key makes the header
 * malformed.
 */
const embeddedKeyProblem = (value: JsonNode, bytes: Uint8Array): string | undefined => {
  const reading = readWebKey(value);
  if (reading.kind === 'error') return unmarshalError('JWK', reading.error, rawJson(bytes, value));
  const isPublic = reading.key.publicJwk !== undefined || isPublicEd25519(value);
  return isPublic ? undefined : 'go-jose/go-jose: invalid embedded jwk, must be public key';
};

const isPublicEd25519 = (value: JsonNode): boolean =>
  value.kind === 'object' &&
  value.members.some((member) => member.name === 'kty' && stringOf(member.value) === 'OKP') &&
  !value.members.some((member) => member.name === 'd' && member.value.kind !== 'null');

const chainProblem = (value: JsonNode): string | undefined => {
  if (value.kind !== 'array') return goTypeError(value.kind, '[]string');
  const mistyped = value.items.find((item) => item.kind !== 'string' && item.kind !== 'null');
  if (mistyped !== undefined) return goTypeError(mistyped.kind, 'string');
  return readChain(value.items.map(stringOf)).error;
};

const depthOf = (root: JsonNode): number => {
  let depth = 0;
  for (let level: readonly JsonNode[] = [root]; level.length > 0; ) {
    const containers = level.filter((node) => node.kind === 'object' || node.kind === 'array');
    if (containers.length > 0) depth += 1;
    level = containers.flatMap((node) =>
      node.kind === 'object'
        ? node.members.map((member) => member.value)
        : node.kind === 'array'
          ? node.items
          : [],
    );
  }
  return depth;
};
