/** Explains in a few words why kube-apiserver would reject a token with given claims. */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import type { Decision } from '../../model/decision.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import {
  audienceMismatch,
  tokenExpired,
  tokenNotYetValid,
} from '../../signed-token/token-rejections.ts';
import { oneLine } from '../preview/headline.ts';
import { reasonWithoutPrefix } from './brief-reason.ts';
import { ownClaim } from './claims-decision.ts';
import { spanText, tokenChecks } from './token-checks.ts';
import { refusedClaims } from './whoami-claims.ts';

/** A check of the token itself, apart from its signature. */
export type TokenCheck = 'audience' | 'exp' | 'nbf';

/** Why kube-apiserver would reject a token with given claims, whatever they map to. */
export interface TokenProblem {
  /** The failed check; `undefined` for claims that cannot be read. */
  readonly check: TokenCheck | undefined;
  /** A phrase such as `expired on 2023-11-14 22:13 UTC, 3 years ago`; one line, safe to show. */
  readonly text: string;
}

/**
 * Returns the failed checks of claims that are present, in kube-apiserver's order. A missing `aud`
 * or `exp` is no problem of a sample, because samples often have none. `now` is in milliseconds
 * since 1970.
 */
export const tokenProblems = (
  node: JwtNode,
  claims: ClaimSet,
  now: number,
): readonly TokenProblem[] =>
  failedChecks(node, claims, now)
    .filter((check) => ownClaim(claims, claimOf[check]) !== undefined)
    .map((check) => ({ check, text: problemText(check, { node, claims, now }) }));

/** The rejection of a token before its claims are mapped. */
export interface TokenRefusal extends TokenProblem {
  readonly decision: Decision;
}

/** Returns the rejection of a token with these claims, or `undefined` if they are mapped. */
export const tokenRefusal = (
  node: JwtNode,
  claims: ClaimSet,
  now: number,
): TokenRefusal | undefined => {
  const decision = refusedClaims(node, claims, now);
  if (decision?.kind !== 'rejected') return undefined;
  const { code, message } = decision.reason;
  const check = checkByCode.get(code);
  const text =
    check === undefined
      ? oneLine(reasonWithoutPrefix(message))
      : problemText(check, { node, claims, now });
  return { decision, check, text };
};

const checkByCode: ReadonlyMap<string, TokenCheck> = new Map([
  [audienceMismatch.code, 'audience'],
  [tokenExpired.code, 'exp'],
  [tokenNotYetValid.code, 'nbf'],
]);

const claimOf: Readonly<Record<TokenCheck, string>> = { audience: 'aud', exp: 'exp', nbf: 'nbf' };

const failedChecks = (node: JwtNode, claims: ClaimSet, now: number): readonly TokenCheck[] => {
  const failed = new Set(
    tokenChecks(node, claims, now).flatMap(({ what, outcome }) =>
      outcome === 'note' ? [what] : [],
    ),
  );
  // An entry without audiences is incomplete, so nothing is reported.
  if (node.audiences.length === 0) failed.delete('audience');
  return (['audience', 'exp', 'nbf'] as const).filter((check) => failed.has(check));
};

const problemText = (
  check: TokenCheck,
  {
    node,
    claims,
    now,
  }: { readonly node: JwtNode; readonly claims: ClaimSet; readonly now: number },
): string => {
  const value = ownClaim(claims, claimOf[check]);
  switch (check) {
    case 'audience': {
      const wanted = node.audiences.map((audience) => JSON.stringify(audience)).join(' or ');
      return value === undefined
        ? oneLine(`no audience; ${wanted} is required`)
        : oneLine(`audience is ${formatClaim(value)}, not ${wanted}`);
    }
    case 'exp': {
      if (value === undefined) return 'no expiry; exp is required';
      const time = typeof value === 'number' ? dateText(value) : undefined;
      return time === undefined || typeof value !== 'number'
        ? oneLine(`exp is ${formatClaim(value)}`)
        : `expired on ${time}, ${spanText(now - value * 1000)} ago`;
    }
    case 'nbf': {
      const time = typeof value === 'number' ? dateText(value) : undefined;
      return time === undefined
        ? oneLine(`nbf is ${formatClaim(value)}`)
        : `not valid before ${time}`;
    }
  }
};

const formatClaim = (value: unknown): string => {
  const [only] = Array.isArray(value) && value.length === 1 ? value : [value];
  return JSON.stringify(only ?? null);
};

/** Returns `2023-11-14 22:13 UTC`, or `undefined` for a time that no calendar has. */
const dateText = (seconds: number): string | undefined => {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime())
    ? undefined
    : `${date
        .toISOString()
        .replace('T', ' ')
        .replace(/:\d\d\.\d+Z$/, '')} UTC`;
};
