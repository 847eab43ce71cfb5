/**
 * Parses a JWKS to keys that verify signatures. As in kube-apiserver, one invalid key makes the
 * whole set unusable, `alg` and `key_ops` are ignored, and keys that cannot verify tokens (private,
 * symmetric, Ed25519) have no effect.
 */
import { sameBytes } from '../formats/bytes.ts';
import { foldName, goFieldTypeError, goTypeError } from '../formats/go-json.ts';
import { goQuote } from '../formats/go-quote.ts';
import { type JsonNode, parseJsonWithPositions } from '../formats/json-with-positions.ts';
import { mediaTypeOf } from '../formats/media-type.ts';
import type { PreparedKey, Signatures } from '../ports/signatures.ts';
import { readWebKey, type WebKey } from './web-key.ts';

export interface VerificationKey {
  readonly keyId: string;
  /** `undefined` if the key cannot verify signatures. */
  readonly prepared: PreparedKey | undefined;
}

export type KeySetReading =
  | { readonly kind: 'keys'; readonly keys: readonly VerificationKey[] }
  | { readonly kind: 'error'; readonly error: string };

export interface KeySetOptions {
  readonly signatures: Signatures;
  /** Ignores keys with `use: enc`. */
  readonly rejectEncryptionKeys: boolean;
  /** The maximum number of keys; a set with more is unusable. */
  readonly maxKeys: number;
}

/** Parses the body of a response; the error is that of the JSON or of the first invalid key. */
export const readKeySet = async (
  body: Uint8Array,
  options: KeySetOptions,
): Promise<KeySetReading> => {
  const tree = parseJsonWithPositions(body);
  if (tree.kind === 'error') return tree;
  const { lists, error } = keyLists(tree.root);
  let keys: readonly VerificationKey[] = [];
  for (const list of lists) {
    const reading = await readKeys(list, options);
    if (reading.kind === 'error') return reading;
    keys = reading.keys;
  }
  return error === undefined ? { kind: 'keys', keys } : { kind: 'error', error };
};

/** Wraps a JSON error as go-oidc does, which checks the content type only in this case. */
export const frameJsonError = (error: string, contentType: string | undefined): string =>
  mediaTypeOf(contentType ?? '') === 'application/json'
    ? `got Content-Type = application/json, but could not unmarshal as JSON: ${error}`
    : `expected Content-Type = application/json, got ${goQuote(contentType ?? '')}: ${error}`;

interface KeyLists {
  /** The items of each `keys` member: all are parsed, the last one is used. */
  readonly lists: readonly (readonly JsonNode[])[];
  /** A type error that is reported after the keys are parsed. */
  readonly error?: string;
}

const keyLists = (root: JsonNode): KeyLists => {
  if (root.kind === 'null') return { lists: [] };
  if (root.kind !== 'object') {
    return { lists: [], error: goTypeError(root.kind, 'jose.JSONWebKeySet') };
  }
  const lists: (readonly JsonNode[])[] = [];
  let error: string | undefined;
  for (const { name, value } of root.members) {
    if (foldName(name) !== 'keys') continue;
    if (value.kind === 'array') lists.push(value.items);
    else if (value.kind === 'null') lists.push([]);
    else error ??= goFieldTypeError(value.kind, 'JSONWebKeySet.keys', '[]jose.JSONWebKey');
  }
  return error === undefined ? { lists } : { lists, error };
};

const readKeys = async (
  nodes: readonly JsonNode[],
  options: KeySetOptions,
): Promise<KeySetReading> => {
  if (nodes.length > options.maxKeys) {
    return { kind: 'error', error: `a key set of ${nodes.length} keys is too large` };
  }
  const keys: VerificationKey[] = [];
  for (const node of nodes) {
    const reading = readWebKey(node);
    if (reading.kind === 'error') return reading;
    const mismatch = await thumbprintMismatch(reading.key);
    if (mismatch !== undefined) return { kind: 'error', error: mismatch };
    keys.push(prepareKey(reading.key, options));
  }
  return { kind: 'keys', keys };
};

const prepareKey = (key: WebKey, options: KeySetOptions): VerificationKey => {
  const { keyId } = key;
  const isRejected = options.rejectEncryptionKeys && key.use === 'enc';
  if (isRejected || key.publicJwk === undefined) return { keyId, prepared: undefined };
  try {
    return { keyId, prepared: options.signatures.prepare(key.publicJwk) };
  } catch {
    // go-jose accepts such a key and finds later that no signature matches.
    return { keyId, prepared: undefined };
  }
};

const thumbprintMismatch = async (key: WebKey): Promise<string | undefined> => {
  if (key.certificate === undefined) return undefined;
  const expected: readonly (readonly ['SHA-1' | 'SHA-256', string, Uint8Array])[] = [
    ['SHA-1', 'x5t', key.sha1],
    ['SHA-256', 'x5t#S256', key.sha256],
  ];
  for (const [algorithm, member, digest] of expected) {
    if (digest.length === 0) continue;
    const actual = await crypto.subtle.digest(algorithm, Uint8Array.from(key.certificate));
    if (!sameBytes(new Uint8Array(actual), digest)) {
      return `go-jose/go-jose: invalid JWK, x5c thumbprint does not match ${member} value`;
    }
  }
  return undefined;
};
