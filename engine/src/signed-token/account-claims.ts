/**
 * Decodes the claims of service account tokens with the rules of go-jose's JSON decoder, which
 * kube-apiserver uses after it has verified the signature: names match exactly, duplicates in a
 * decoded object are an error, and each wrong type has its message. Common claims take a fast path;
 * others are decoded member by member.
 */
import { decodeObject, type Fields } from '../formats/go-struct/decode.ts';
import {
  mapField,
  numberField,
  stringField,
  stringListField,
} from '../formats/go-struct/fields.ts';
import {
  DecodeError,
  type Shape,
  type StructShape,
  string,
  struct,
} from '../formats/go-struct/shape.ts';
import { parseJsonWithPositions } from '../formats/json-with-positions.ts';
import type { JsonObject } from '../formats/json-with-shape.ts';
import {
  boundClaimsFastPath,
  countMembers,
  publicClaimsFastPath,
  stringClaimFastPath,
} from './account-claims-fast-path.ts';
import type { BoundClaims, ObjectClaim, PublicClaims } from './claim-types.ts';
import { type PeekedToken, payloadBytes } from './parse.ts';
import { untypedProblem } from './untyped-value.ts';

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
  const decoded = decodeObject(tree.root, publicShape, 'go-jose');
  if (decoded.kind === 'error') return { kind: 'error', error: decoded.message };
  const privates = decodeObject(tree.root, reader.shape, 'go-jose');
  if (privates.kind === 'error') return { kind: 'error', error: privates.message };
  return {
    kind: 'claims',
    public: buildPublic(decoded.fields),
    private: reader.build(privates.fields),
  };
};

const notSecondsError = new DecodeError(
  'go-jose/go-jose/jwt: expected number value to unmarshal NumericDate',
);

const seconds: Shape = {
  kind: 'custom',
  decode(value) {
    if (value.kind === 'null') return undefined;
    const number = value.kind === 'number' ? Number(value.literal) : Number.NaN;
    if (!Number.isFinite(number)) return notSecondsError;
    const whole = Math.trunc(number);
    if (Number.isSafeInteger(whole)) return whole;
    // A value outside of 64 bits becomes the minimum, whatever its sign.
    const exact = BigInt(whole);
    return exact === BigInt.asIntN(64, exact) ? exact : -(2n ** 63n);
  },
};

const notAudienceError = new DecodeError(
  'go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience',
);

const audience: Shape = {
  kind: 'custom',
  decode(value) {
    if (value.kind === 'string') return [value.text];
    const error = untypedProblem(value);
    if (error !== undefined) return new DecodeError(error);
    if (value.kind !== 'array') return notAudienceError;
    const strings = value.items.flatMap((item) => (item.kind === 'string' ? [item.text] : []));
    return strings.length === value.items.length ? strings : notAudienceError;
  },
};

const publicShape = struct(
  'jwt.Claims',
  ['iss', string],
  ['sub', string],
  ['aud', audience],
  ['exp', seconds],
  ['nbf', seconds],
  ['iat', seconds],
  ['jti', string],
);

const objectClaimShape = struct('serviceaccount.ref', ['name', string], ['uid', string]);

const boundShape = struct(
  'serviceaccount.kubernetes',
  ['namespace', string],
  ['serviceaccount', objectClaimShape],
  ['pod', objectClaimShape],
  ['secret', objectClaimShape],
  ['node', objectClaimShape],
  ['warnafter', seconds],
);

const boundReader = (names: readonly string[]): PrivateReader<BoundClaims> => ({
  shape: struct(
    'serviceaccount.privateClaims',
    ...names.map((name) => [name, boundShape] as const),
  ),
  fastPath: (claims) => boundClaimsFastPath(claims, names),
  build(outer) {
    const name = names.find((candidate) => outer.has(candidate));
    const fields = mapField(outer, name ?? '');
    return {
      namespace: stringField(fields, 'namespace'),
      account: objectClaimOf(fields, 'serviceaccount') ?? { name: '', uid: '' },
      pod: objectClaimOf(fields, 'pod'),
      secret: objectClaimOf(fields, 'secret'),
      node: objectClaimOf(fields, 'node'),
      warnAfter: numberField(fields, 'warnafter'),
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
    return written === undefined ? '' : stringField(fields, written);
  };
  const all = (['accountName', 'accountUid', 'secretName', 'namespace'] as const).flatMap(
    spellings,
  );
  return {
    shape: struct(
      'serviceaccount.legacyPrivateClaims',
      ...all.map((name) => [name, string] as const),
    ),
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
  issuer: stringField(fields, 'iss'),
  subject: stringField(fields, 'sub'),
  audience: stringListField(fields, 'aud'),
  expiry: numberField(fields, 'exp'),
  notBefore: numberField(fields, 'nbf'),
  issuedAt: numberField(fields, 'iat'),
  id: stringField(fields, 'jti'),
});

const objectClaimOf = (fields: Fields, name: string): ObjectClaim | undefined => {
  if (!fields.has(name)) return undefined;
  const claim = mapField(fields, name);
  return { name: stringField(claim, 'name'), uid: stringField(claim, 'uid') };
};
