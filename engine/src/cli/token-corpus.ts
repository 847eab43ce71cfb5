/**
 * Tokens that test one authenticator: valid ones, and one for each way in which a claim can be
 * missing, malformed or wrong.
 */
import type { FlagValues } from '../flags/flag.ts';
import { createSigningKey, mintToken, type SigningKey } from '../node/mint.ts';

export interface CorpusToken {
  /** The property that distinguishes the token. */
  readonly name: string;
  readonly token: string;
}

export interface TokenCorpus {
  /** The keys that the issuer publishes. */
  readonly keys: readonly SigningKey[];
  readonly tokens: readonly CorpusToken[];
}

interface CorpusFacts {
  /** The flags that configure the authenticator. */
  readonly values: FlagValues;
  readonly allowed: readonly string[];
  /** Seconds since 1970. */
  readonly now: number;
}

type Claims = Readonly<Record<string, unknown>>;
type Variant = readonly [name: string, change: (claims: Record<string, unknown>) => void];

/** Creates the corpus, signed with temporary keys, one for each allowed algorithm. */
export const tokenCorpus = async ({ values, allowed, now }: CorpusFacts): Promise<TokenCorpus> => {
  const keys = await Promise.all(
    allowed.map((algorithm, index) => createSigningKey(algorithm, `key-${index}`)),
  );
  const [first, ...others] = keys;
  if (first === undefined) return { keys, tokens: [] };
  const unpublishedKey = await createSigningKey(first.algorithm, first.keyId);
  const good = goodClaims(values, now);
  const variants = variantsOf(values, now);
  const changed = (...changes: readonly Variant[]): readonly [string, Claims] => {
    const claims = { ...good };
    for (const [, change] of changes) change(claims);
    return [changes.map(([name]) => name).join(', ') || 'good', claims];
  };
  // Two deviations at a time: which of them is reported is part of the decision.
  const pairs = variants.flatMap((left, index) =>
    variants.slice(index + 1).map((right) => changed(left, right)),
  );
  const all = [changed(), ...variants.map((variant) => changed(variant)), ...pairs];
  const signed = all.map(async ([name, claims]) => ({
    name,
    token: await mintToken(claims, first),
  }));
  const byOthers = [...others, unpublishedKey].map(async (key) => ({
    name: key === unpublishedKey ? 'a key that is not published' : key.algorithm,
    token: await mintToken(good, key),
  }));
  return { keys, tokens: await Promise.all([...signed, ...byOthers]) };
};

const goodClaims = (values: FlagValues, now: number): Claims => {
  const claims: Record<string, unknown> = { iss: values.string('oidc-issuer-url') };
  claims.aud = values.string('oidc-client-id');
  claims.exp = now + 3600;
  claims.jti = 'corpus';
  claims[values.string('oidc-username-claim')] = 'jane@example.com';
  const groups = values.string('oidc-groups-claim');
  if (groups !== '') claims[groups] = ['dev', 'ops'];
  for (const [claim, value] of values.map('oidc-required-claim')) claims[claim] = value;
  return claims;
};

const variantsOf = (values: FlagValues, now: number): readonly Variant[] => {
  const clientId = values.string('oidc-client-id');
  const groups = values.string('oidc-groups-claim');
  return [
    ...each('iss', ['https://elsewhere.example', `${values.string('oidc-issuer-url')}/`, 7]),
    ...each('aud', [absent, 'other', [clientId, 'other'], ['other'], [], 7]),
    ...each('exp', [absent, now - 1, 'soon', now + 0.5]),
    ...each('nbf', [now - 5, now + 30, now + 90, 'x']),
    ...each(values.string('oidc-username-claim'), [absent, '', 'Jörg', 7, null, ['a'], 'a:b']),
    ...each('email', ['other@example.com', 7]),
    ...each('email_verified', [true, false, 'true', null]),
    ...(groups === '' ? [] : each(groups, [absent, 'dev', [], ['a', 7], '', {}, null, [''], true])),
    ...[...values.map('oidc-required-claim').keys()].flatMap((claim) =>
      each(claim, [absent, 'other', 7, null, true]),
    ),
    ...each('jti', [absent, '', 7]),
  ];
};

const absent = Symbol('absent');

const each = (claim: string, choices: readonly unknown[]): readonly Variant[] =>
  choices.map((value) => [
    `${claim} ${value === absent ? 'absent' : JSON.stringify(value)}`,
    (claims) => {
      if (value === absent) delete claims[claim];
      else claims[claim] = value;
    },
  ]);
