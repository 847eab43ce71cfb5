/**
 * Decodes the claims of service account tokens with the rules of go-jose's JSON decoder, which
 * kube-apiserver uses after it has verified the signature: names match exactly, duplicates in a
 * decoded object are an error, and each wrong type has its message. Common claims take a fast path;
 * others are decoded member by member.
 */
import { goTypeError } from '../formats/go-json.ts';
import type { GoSeconds } from '../formats/go-time.ts';
import { type JsonNode, parseJsonWithPositions } from '../formats/json-with-positions.ts';
import type { JsonObject } from '../formats/json-with-shape.ts';
import {
  boundClaimsFastPath,
  countMembers,
  publicClaimsFastPath,
  stringClaimFastPath,
} from './account-claims-fast-path.ts';
import { type PeekedToken, payloadBytes } from './parse.ts';

/** The public claims; empty or `undefined` if absent. */
export interface PublicClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly audience: readonly string[];
  readonly expiry: GoSeconds | undefined;
  readonly notBefore: GoSeconds | undefined;
  readonly issuedAt: GoSeconds | undefined;
  readonly id: string;
}

export interface ObjectClaim {
  readonly name: string;
  readonly uid: string;
}

/** The private claims of a token of the TokenRequest API. */
export interface BoundClaims {
  readonly namespace: string;
  readonly account: ObjectClaim;
  readonly pod: ObjectClaim | undefined;
  readonly secret: ObjectClaim | undefined;
  readonly node: ObjectClaim | undefined;
  readonly warnAfter: GoSeconds | undefined;
}

/** The private claims of a legacy token. */
export interface LegacyClaims {
  readonly namespace: string;
  readonly secretName: string;
  readonly accountName: string;
  readonly accountUid: string;
}

export type ClaimsReading<Private> =
  | { readonly kind: 'claims'; readonly public: PublicClaims; readonly private: Private }
  /** The error of the decoder. */
  | { readonly kind: 'error'; readonly error: string };

export type ReadClaims<Private> = (token: PeekedToken) => ClaimsReading<Private>;

/**
 * Creates a reader of bound claims, which uses the first of the names that the token has; the names
 * are those of `accountNameDomains`.
 */
export const boundClaimsReader = (names: readonly string[]): ReadClaims<BoundClaims> => {
  const reader = boundReader(names);
  return (token) => readClaims(token, reader);
};

/** Creates a reader of legacy claims, which reads each claim with the first domain that has it. */
export const legacyClaimsReader = (names: readonly string[]): ReadClaims<LegacyClaims> => {
  const reader = legacyReader(names);
  return (token) => readClaims(token, reader);
};

interface PrivateReader<Private> {
  readonly shape: StructShape;
  /** Reads common claims; returns `undefined` if a member has an unusual form. */
  readonly fastPath: (claims: JsonObject) => Private | undefined;
  /** Builds the claims from decoded members. */
  readonly build: (fields: Fields) => Private;
}

const readClaims = <Private>(
  token: PeekedToken,
  reader: PrivateReader<Private>,
): ClaimsReading<Private> => {
  const { claims, shape, isRepaired } = token.payload;
  const exact =
    !isRepaired && !shape.mayOverflow && shape.allMembers === countMembers(claims)
      ? claims
      : undefined;
  const publicClaims = exact && publicClaimsFastPath(exact);
  const privateClaims = publicClaims && exact && reader.fastPath(exact);
  if (publicClaims !== undefined && privateClaims !== undefined) {
    return { kind: 'claims', public: publicClaims, private: privateClaims };
  }
  return readMemberByMember(token, reader);
};

const readMemberByMember = <Private>(
  token: PeekedToken,
  reader: PrivateReader<Private>,
): ClaimsReading<Private> => {
  const tree = parseJsonWithPositions(payloadBytes(token.parts));
  if (tree.kind === 'error') return tree;
  const fields = decodeClaims(tree.root, publicShape);
  if (typeof fields === 'string') return { kind: 'error', error: fields };
  const privateFields = decodeClaims(tree.root, reader.shape);
  if (typeof privateFields === 'string') return { kind: 'error', error: privateFields };
  return { kind: 'claims', public: buildPublic(fields), private: reader.build(privateFields) };
};

type FieldShape = 'text' | 'seconds' | 'audience' | StructShape;

interface StructShape {
  /** The Go type in error messages. */
  readonly goType: string;
  readonly fields: ReadonlyMap<string, FieldShape>;
}

type Field = string | GoSeconds | readonly string[] | Fields;
type Fields = ReadonlyMap<string, Field>;

const publicShape: StructShape = {
  goType: 'jwt.Claims',
  fields: new Map<string, FieldShape>([
    ['iss', 'text'],
    ['sub', 'text'],
    ['aud', 'audience'],
    ['exp', 'seconds'],
    ['nbf', 'seconds'],
    ['iat', 'seconds'],
    ['jti', 'text'],
  ]),
};

const objectClaimShape: StructShape = {
  goType: 'serviceaccount.ref',
  fields: new Map<string, FieldShape>([
    ['name', 'text'],
    ['uid', 'text'],
  ]),
};

const boundShape: StructShape = {
  goType: 'serviceaccount.kubernetes',
  fields: new Map<string, FieldShape>([
    ['namespace', 'text'],
    ['serviceaccount', objectClaimShape],
    ['pod', objectClaimShape],
    ['secret', objectClaimShape],
    ['node', objectClaimShape],
    ['warnafter', 'seconds'],
  ]),
};

const boundReader = (names: readonly string[]): PrivateReader<BoundClaims> => ({
  shape: {
    goType: 'serviceaccount.privateClaims',
    fields: new Map(names.map((name): [string, FieldShape] => [name, boundShape])),
  },
  fastPath: (claims) => boundClaimsFastPath(claims, names),
  build(outer) {
    const name = names.find((candidate) => outer.has(candidate));
    const fields = (name === undefined ? undefined : structOf(outer, name)) ?? emptyFields;
    return {
      namespace: stringOf(fields, 'namespace'),
      account: objectClaimOf(fields, 'serviceaccount') ?? { name: '', uid: '' },
      pod: objectClaimOf(fields, 'pod'),
      secret: objectClaimOf(fields, 'secret'),
      node: objectClaimOf(fields, 'node'),
      warnAfter: secondsOf(fields, 'warnafter'),
    };
  },
});

const legacyClaimNames = {
  accountName: 'serviceaccount/service-account.name',
  accountUid: 'serviceaccount/service-account.uid',
  secretName: 'serviceaccount/secret.name',
  namespace: 'serviceaccount/namespace',
} as const;

const legacyReader = (names: readonly string[]): PrivateReader<LegacyClaims> => {
  const spellings = (claim: keyof typeof legacyClaimNames): readonly string[] =>
    names.map((name) => `${name}/${legacyClaimNames[claim]}`);
  const claimOf = (fields: Fields, claim: keyof typeof legacyClaimNames): string => {
    const written = spellings(claim).find((name) => fields.has(name));
    return written === undefined ? '' : stringOf(fields, written);
  };
  const all = (['accountName', 'accountUid', 'secretName', 'namespace'] as const).flatMap(
    spellings,
  );
  return {
    shape: {
      goType: 'serviceaccount.legacyPrivateClaims',
      fields: new Map(all.map((name): [string, FieldShape] => [name, 'text'])),
    },
    fastPath(claims) {
      const namespace = stringClaimFastPath(claims, spellings('namespace'));
      const secretName = stringClaimFastPath(claims, spellings('secretName'));
      const accountName = stringClaimFastPath(claims, spellings('accountName'));
      const accountUid = stringClaimFastPath(claims, spellings('accountUid'));
      if (namespace === undefined || secretName === undefined) return undefined;
      if (accountName === undefined || accountUid === undefined) return undefined;
      return { namespace, secretName, accountName, accountUid };
    },
    build: (fields) => ({
      namespace: claimOf(fields, 'namespace'),
      secretName: claimOf(fields, 'secretName'),
      accountName: claimOf(fields, 'accountName'),
      accountUid: claimOf(fields, 'accountUid'),
    }),
  };
};

const buildPublic = (fields: Fields): PublicClaims => ({
  issuer: stringOf(fields, 'iss'),
  subject: stringOf(fields, 'sub'),
  audience: stringsOf(fields, 'aud'),
  expiry: secondsOf(fields, 'exp'),
  notBefore: secondsOf(fields, 'nbf'),
  issuedAt: secondsOf(fields, 'iat'),
  id: stringOf(fields, 'jti'),
});

const emptyFields: Fields = new Map();

const stringOf = (fields: Fields, name: string): string => {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
};

const secondsOf = (fields: Fields, name: string): GoSeconds | undefined => {
  const value = fields.get(name);
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
};

const stringsOf = (fields: Fields, name: string): readonly string[] => {
  const value = fields.get(name);
  return isStrings(value) ? value : [];
};

const isStrings = (value: Field | undefined): value is readonly string[] => Array.isArray(value);

const structOf = (fields: Fields, name: string): Fields | undefined => {
  const value = fields.get(name);
  return value instanceof Map ? value : undefined;
};

const objectClaimOf = (fields: Fields, name: string): ObjectClaim | undefined => {
  const claim = structOf(fields, name);
  return claim && { name: stringOf(claim, 'name'), uid: stringOf(claim, 'uid') };
};

/** The first type error, which does not end the decoding. */
interface DeferredError {
  error: string | undefined;
}

/** An error that ends the decoding. */
class DecodeError {
  readonly error: string;
  constructor(error: string) {
    this.error = error;
  }
}

const decodeClaims = (root: JsonNode, shape: StructShape): Fields | string => {
  const deferred: DeferredError = { error: undefined };
  const decoded = decodeStruct(root, shape, deferred);
  if (decoded instanceof DecodeError) return decoded.error;
  return deferred.error ?? decoded ?? emptyFields;
};

const decodeStruct = (
  node: JsonNode,
  shape: StructShape,
  deferred: DeferredError,
): Fields | DecodeError | undefined => {
  if (node.kind === 'null') return undefined;
  if (node.kind !== 'object') return typeMismatch(node, shape.goType, deferred);
  const fields = new Map<string, Field>();
  const seen = new Set<string>();
  for (const { name, value } of node.members) {
    if (seen.has(name)) return new DecodeError(`json: duplicate key '${name}' in object`);
    seen.add(name);
    const fieldShape = shape.fields.get(name);
    const field = fieldShape && decodeField(value, fieldShape, deferred);
    if (field instanceof DecodeError) return field;
    if (field !== undefined) fields.set(name, field);
  }
  return fields;
};

/** Reports a wrong type: a number ends the decoding, any other type is reported at its end. */
const typeMismatch = (
  node: JsonNode,
  goType: string,
  deferred: DeferredError,
): DecodeError | undefined => {
  const error = goTypeError(node.kind, goType);
  if (node.kind === 'number') return new DecodeError(error);
  deferred.error ??= error;
  return undefined;
};

const decodeField = (
  node: JsonNode,
  shape: FieldShape,
  deferred: DeferredError,
): Field | DecodeError | undefined => {
  switch (shape) {
    case 'text':
      if (node.kind === 'null') return undefined;
      return node.kind === 'string' ? node.text : typeMismatch(node, 'string', deferred);
    case 'seconds':
      return decodeSeconds(node);
    case 'audience':
      return decodeAudience(node);
    default:
      return decodeStruct(node, shape, deferred);
  }
};

const notSecondsError = new DecodeError(
  'go-jose/go-jose/jwt: expected number value to unmarshal NumericDate',
);

const decodeSeconds = (node: JsonNode): GoSeconds | DecodeError | undefined => {
  if (node.kind === 'null') return undefined;
  const value = node.kind === 'number' ? Number(node.literal) : Number.NaN;
  if (!Number.isFinite(value)) return notSecondsError;
  const seconds = Math.trunc(value);
  if (Number.isSafeInteger(seconds)) return seconds;
  // A value outside of 64 bits becomes the minimum, whatever its sign.
  const exact = BigInt(seconds);
  return exact === BigInt.asIntN(64, exact) ? exact : -(2n ** 63n);
};

const notAudienceError = new DecodeError(
  'go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience',
);

const decodeAudience = (node: JsonNode): readonly string[] | DecodeError => {
  if (node.kind === 'string') return [node.text];
  const error = untypedError(node);
  if (error !== undefined) return new DecodeError(error);
  if (node.kind !== 'array') return notAudienceError;
  const strings = node.items.flatMap((item) => (item.kind === 'string' ? [item.text] : []));
  return strings.length === node.items.length ? strings : notAudienceError;
};

/**
 * Returns the error in a value of any type: a duplicate member or a number beyond the range of a
 * double.
 */
const untypedError = (node: JsonNode): string | undefined => {
  let huge: string | undefined;
  const waiting: JsonNode[] = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === 'object') {
      const seen = new Set<string>();
      for (const { name } of next.members) {
        if (seen.has(name)) return `json: duplicate key '${name}' in object`;
        seen.add(name);
      }
      for (const { value } of next.members.toReversed()) waiting.push(value);
    } else if (next.kind === 'array') {
      for (const item of next.items.toReversed()) waiting.push(item);
    } else if (next.kind === 'number' && !Number.isFinite(Number(next.literal))) {
      huge ??= goTypeError(`number ${next.literal}`, 'float64');
    }
  }
  return huge;
};
