/**
 * Lists what a server would check of a token with these claims apart from the signature: audience
 * and times.
 */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import type { TraceStep } from '../../model/trace.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { ownClaim } from './claims-decision.ts';

/**
 * Returns a note for each check that would reject a token; claims alone are not rejected. `now` is
 * in milliseconds since 1970.
 */
export const tokenChecks = (node: JwtNode, claims: ClaimSet, now: number): readonly TraceStep[] => [
  { at: node.id, ...audienceCheck(node, ownClaim(claims, 'aud')) },
  { at: node.id, ...expiryCheck(ownClaim(claims, 'exp'), now) },
  ...notBeforeCheck(ownClaim(claims, 'nbf'), now).map((check) => ({ at: node.id, ...check })),
];

/** Reports whether the claims have this audience: `aud` is a string or a list of strings. */
export const isForAudience = (claims: ClaimSet, audience: string): boolean =>
  matchingAudience({ audiences: [audience] }, ownClaim(claims, 'aud')) !== undefined;

type Check = Omit<TraceStep, 'at'>;

const matchingAudience = (
  { audiences }: Pick<JwtNode, 'audiences'>,
  audience: unknown,
): string | undefined => {
  const tokenAudiences: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  return audiences.find((wanted) => tokenAudiences.includes(wanted));
};

const audienceCheck = (node: JwtNode, audience: unknown): Check => {
  const match = matchingAudience(node, audience);
  if (match !== undefined) return { what: 'audience', outcome: 'passed', value: match };
  return {
    what: 'audience',
    outcome: 'note',
    detail: `${describeValue('aud', audience)}; a token requires one of ${JSON.stringify(node.audiences)}`,
  };
};

const expiryCheck = (expiry: unknown, now: number): Check =>
  typeof expiry !== 'number' || expiry * 1000 < now
    ? {
        what: 'exp',
        outcome: 'note',
        detail: `${describeValue('exp', expiry)}; a token would be expired`,
      }
    : {
        what: 'exp',
        outcome: 'passed',
        detail: `expires in ${spanText(expiry * 1000 - now)}`,
        value: expiry,
      };

const notBeforeCheck = (notBefore: unknown, now: number): readonly Check[] => {
  if (typeof notBefore !== 'number') return [];
  return acceptedSince(notBefore) > now
    ? [
        {
          what: 'nbf',
          outcome: 'note',
          detail: `nbf is ${notBefore}; a token would not be valid yet`,
        },
      ]
    : [{ what: 'nbf', outcome: 'passed', value: notBefore }];
};

const describeValue = (name: string, value: unknown): string =>
  value === undefined ? `the claims have no ${name}` : `${name} is ${JSON.stringify(value)}`;

/**
 * Returns the time, in milliseconds since 1970, from which kube-apiserver accepts a token with this
 * `nbf`.
 */
export const acceptedSince = (notBefore: number): number => (notBefore - leewaySeconds) * 1000;

/** kube-apiserver's leeway for `nbf`. */
const leewaySeconds = 60;

/** Formats a duration in the largest unit of which it has at least two: `42 minutes`. */
export const spanText = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000);
  const [size, name] = units.find(([unit]) => seconds >= 2 * unit) ?? [1, 'second'];
  const count = Math.floor(seconds / size);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
};

const units: readonly (readonly [number, string])[] = [
  [31_557_600, 'year'],
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
];
