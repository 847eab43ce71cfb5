/**
 * A JWKS document -> keys ready to check signatures. As in the real server one odd key makes the
 * whole set unusable, `alg` and `key_ops` of a key are not looked at, and a key of a kind that checks
 * nothing (private, symmetric, Ed25519) stands in the set without effect.
 */
import { foldName, goFieldTypeError, goTypeError } from '../formats/go-json.ts';
import { type JsonNode, parseJsonTree } from '../formats/json-tree.ts';
import { mediaTypeOf } from '../formats/media-type.ts';
import type { PreparedKey, Signatures } from '../ports/signatures.ts';
import { readWebKey, type WebKey } from './web-key.ts';

export interface VerificationKey {
  readonly keyId: string;
  /** `undefined` where the key can check nothing. */
  readonly prepared: PreparedKey | undefined;
}

export type KeySetReading =
  | { readonly kind: 'keys'; readonly keys: readonly VerificationKey[] }
  | { readonly kind: 'error'; readonly error: string };

export interface KeySetOptions {
  readonly signatures: Signatures;
  /** Leave keys marked `use: enc` without effect. */
  readonly refuseEncryptionKeys: boolean;
  /** Keys in one set; more make it unusable. */
  readonly maxKeys: number;
}

/** Reads the body of an answer; the error is that of the JSON or of the first odd key. */
export const readKeySet = async (
  body: Uint8Array,
  options: KeySetOptions,
): Promise<KeySetReading> => {
  const tree = parseJsonTree(body);
  if (tree.kind === 'error') return tree;
  const { items, error } = keyNodes(tree.root);
  if (items.length > options.maxKeys) {
    return { kind: 'error', error: `a key set of ${items.length} keys is too large` };
  }
  const keys: VerificationKey[] = [];
  for (const item of items) {
    const reading = readWebKey(item);
    if (reading.kind === 'error') return reading;
    const mismatch = await thumbprintMismatch(reading.key);
    if (mismatch !== undefined) return { kind: 'error', error: mismatch };
    keys.push(prepareKey(reading.key, options));
  }
  return error === undefined ? { kind: 'keys', keys } : { kind: 'error', error };
};

/** How the real client frames a JSON error: it looks at the content type only then. */
export const frameJsonError = (error: string, contentType: string | undefined): string =>
  mediaTypeOf(contentType ?? '') === 'application/json'
    ? `got Content-Type = application/json, but could not unmarshal as JSON: ${error}`
    : `expected Content-Type = application/json, got ${JSON.stringify(contentType ?? '')}: ${error}`;

interface KeyNodes {
  readonly items: readonly JsonNode[];
  /** A wrong type: reported after the keys were read. */
  readonly error?: string;
}

const keyNodes = (root: JsonNode): KeyNodes => {
  if (root.kind === 'null') return { items: [] };
  if (root.kind !== 'object') {
    return { items: [], error: goTypeError(root.kind, 'jose.JSONWebKeySet') };
  }
  let items: readonly JsonNode[] = [];
  let error: string | undefined;
  for (const { name, value } of root.members) {
    if (foldName(name) !== 'keys') continue;
    if (value.kind === 'array') items = value.items;
    else if (value.kind === 'null') items = [];
    else error ??= goFieldTypeError(value.kind, 'JSONWebKeySet.keys', '[]jose.JSONWebKey');
  }
  return error === undefined ? { items } : { items, error };
};

const prepareKey = (key: WebKey, options: KeySetOptions): VerificationKey => {
  const { keyId } = key;
  const ruledOut = options.refuseEncryptionKeys && key.use === 'enc';
  if (ruledOut || key.publicJwk === undefined) return { keyId, prepared: undefined };
  try {
    return { keyId, prepared: options.signatures.prepare(key.publicJwk) };
  } catch {
    // The real library takes such a key and then finds that no signature fits it.
    return { keyId, prepared: undefined };
  }
};

const thumbprintMismatch = async (key: WebKey): Promise<string | undefined> => {
  if (key.certificate === undefined) return undefined;
  const wanted: readonly (readonly ['SHA-1' | 'SHA-256', string, Uint8Array])[] = [
    ['SHA-1', 'x5t', key.sha1],
    ['SHA-256', 'x5t#S256', key.sha256],
  ];
  for (const [algorithm, member, digest] of wanted) {
    if (digest.length === 0) continue;
    const found = await crypto.subtle.digest(algorithm, Uint8Array.from(key.certificate));
    if (!equalBytes(new Uint8Array(found), digest)) {
      return `go-jose/go-jose: invalid JWK, x5c thumbprint does not match ${member} value`;
    }
  }
  return undefined;
};

const equalBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && left.every((byte, at) => byte === right[at]);
