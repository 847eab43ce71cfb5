/** Parses the claims of a token once, for selecting the issuer, validation and mapping. */
import { type JsonNode, parseJsonWithPositions } from '../formats/json-with-positions.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonShape,
  type ObjectWithIntegers,
  readJsonWithShape,
  readObjectWithIntegers,
} from '../formats/json-with-shape.ts';
import {
  decodeIssuer,
  decodeStandardClaims,
  misCasedClaim,
  readStandardClaims,
  type StandardClaimsReading,
} from './standard-claims.ts';

/** The claims of a token or a sample, as kube-apiserver decodes them. */
export interface ClaimSet {
  readonly claims: JsonObject;
  /**
   * Claims that contain a number beyond the range of a double, with the number as it is written.
   * Usually empty.
   */
  readonly unreadable: ReadonlyMap<string, string>;
  /** The claims with exact integers, if the doubles of `claims` may differ from them. */
  readonly withIntegers?: ObjectWithIntegers;
}

export interface TokenPayload extends ClaimSet {
  /** The unverified `iss` claim; Google's short form is expanded. */
  readonly issuer: string;
  readonly standard: StandardClaimsReading;
  readonly shape: JsonShape;
  /** True if the claims had invalid UTF-8 or lone surrogates. */
  readonly isRepaired: boolean;
  /** The first name that differs from a standard claim only in case: `ISS`. */
  readonly misCased: string | undefined;
}

/**
 * Parses the claims; returns `undefined` if no authenticator can accept the token. The bytes are
 * not retained.
 */
export const readPayload = (bytes: Uint8Array): TokenPayload | undefined => {
  const reading = readJsonWithShape(bytes);
  if (reading === undefined || !isJsonObject(reading.value)) return undefined;
  const { value: claims, shape, isRepaired } = reading;
  const ordinary = isRepaired ? undefined : readStandardClaims(claims, shape.outerMembers);
  if (ordinary !== undefined && !shape.mayOverflow) {
    const issuer = normalizeIssuer(ordinary.issuer);
    const standard: StandardClaimsReading = { kind: 'claims', claims: ordinary };
    return {
      claims,
      unreadable: noneUnreadable,
      issuer,
      standard,
      shape,
      isRepaired,
      misCased: undefined,
    };
  }
  return readUnusualPayload(bytes, { claims, shape, isRepaired });
};

/**
 * Parses unsigned claims, for previews and tests; returns `undefined` unless they are an object.
 */
export const readClaims = (bytes: Uint8Array): ClaimSet | undefined => {
  const reading = readJsonWithShape(bytes);
  if (reading === undefined || !isJsonObject(reading.value)) return undefined;
  const unreadable = reading.shape.mayOverflow ? findUnreadable(bytes) : noneUnreadable;
  return {
    claims: reading.value,
    unreadable,
    ...(reading.shape.hasUnusualNumber ? { withIntegers: readObjectWithIntegers(bytes) } : {}),
  };
};

const noneUnreadable: ReadonlyMap<string, string> = new Map();

/** Expands Google's issuer, which OpenID Connect Core 15.6.2 allows without the scheme. */
export const normalizeIssuer = (issuer: string): string =>
  issuer === 'accounts.google.com' ? 'https://accounts.google.com' : issuer;

const readUnusualPayload = (
  bytes: Uint8Array,
  read: Pick<TokenPayload, 'claims' | 'shape' | 'isRepaired'>,
): TokenPayload | undefined => {
  const tree = parseJsonWithPositions(bytes);
  if (tree.kind === 'error') return undefined;
  const issuer = decodeIssuer(tree.root);
  if (issuer === undefined) return undefined;
  return {
    ...read,
    misCased: misCasedClaim(read.claims),
    issuer: normalizeIssuer(issuer),
    standard: decodeStandardClaims(tree.root, bytes),
    unreadable: read.shape.mayOverflow ? unreadableMembers(tree.root) : noneUnreadable,
  };
};

const findUnreadable = (bytes: Uint8Array): ReadonlyMap<string, string> => {
  const tree = parseJsonWithPositions(bytes);
  return tree.kind === 'error' ? noneUnreadable : unreadableMembers(tree.root);
};

const unreadableMembers = (root: JsonNode): ReadonlyMap<string, string> => {
  const unreadable = new Map<string, string>();
  if (root.kind !== 'object') return unreadable;
  for (const { name, value } of root.members) {
    const literal = firstHugeNumber(value);
    if (literal === undefined) unreadable.delete(name);
    else unreadable.set(name, literal);
  }
  return unreadable;
};

const firstHugeNumber = (root: JsonNode): string | undefined => {
  const waiting: JsonNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'number') {
      if (!Number.isFinite(Number(node.literal))) return node.literal;
    } else if (node.kind === 'object') {
      for (const { value } of node.members.toReversed()) waiting.push(value);
    } else if (node.kind === 'array') {
      for (const item of node.items.toReversed()) waiting.push(item);
    }
  }
  return undefined;
};
