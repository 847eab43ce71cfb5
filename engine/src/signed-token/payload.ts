/** The claims of a token: read once, for the choice of the issuer, the checks and the mappings. */
import { goTypeError } from '../formats/go-json.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonShape,
  readJsonWithShape,
} from '../formats/json-with-shape.ts';
import { type JsonNode, parseJsonWithPositions } from '../formats/json-with-positions.ts';
import {
  decodeIssuer,
  decodeStandardClaims,
  misCasedClaim,
  readStandardClaims,
  type StandardClaimsReading,
} from './standard-claims.ts';

/** The claims of a token, or of a sample, as the real server's decoder reads them. */
export interface ClaimSet {
  readonly claims: JsonObject;
  /** Claims that hold a number beyond a double, with the real decoder's words. Mostly empty. */
  readonly unreadable: ReadonlyMap<string, string>;
}

export interface TokenPayload extends ClaimSet {
  /** What `iss` says before anything is verified; Google's short form reads as its long one. */
  readonly issuer: string;
  readonly standard: StandardClaimsReading;
  readonly shape: JsonShape;
  /** It held bad UTF-8 or lone surrogates. */
  readonly isRepaired: boolean;
  /** The first name that is a standard claim in another spelling: `ISS`. */
  readonly misCased: string | undefined;
}

/** `undefined` for what no authenticator takes for its token. The bytes are not kept. */
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

/** A claim set of data that was not signed, for previews and tests; `undefined` unless an object. */
export const readClaims = (bytes: Uint8Array): ClaimSet | undefined => {
  const reading = readJsonWithShape(bytes);
  if (reading === undefined || !isJsonObject(reading.value)) return undefined;
  const unreadable = reading.shape.mayOverflow ? findUnreadable(bytes) : noneUnreadable;
  return { claims: reading.value, unreadable };
};

const noneUnreadable: ReadonlyMap<string, string> = new Map();

/** The issuer that `iss` means. OpenID Connect Core 15.6.2: Google signs without the scheme. */
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
    else unreadable.set(name, goTypeError(`number ${literal}`, 'float64'));
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
