/** What a server would check of a token with these claims, beside its signature: audience and times. */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import type { TraceStep } from '../../model/trace.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { ownClaim } from './claims-decision.ts';

/** A note where a token would be refused: claims alone are not. `now`: milliseconds since 1970. */
export const tokenChecks = (node: JwtNode, claims: ClaimSet, now: number): readonly TraceStep[] => [
  { at: node.id, ...audienceCheck(node, ownClaim(claims, 'aud')) },
  { at: node.id, ...expiryCheck(ownClaim(claims, 'exp'), now) },
  ...notBeforeCheck(ownClaim(claims, 'nbf'), now).map((check) => ({ at: node.id, ...check })),
];

/** The claims say whom they are for, and it is nobody that the authenticator takes. */
export const hasOtherAudience = (node: Pick<JwtNode, 'audiences'>, claims: ClaimSet): boolean => {
  const audience = ownClaim(claims, 'aud');
  // Without audiences the configuration is half written.
  if (audience === undefined || node.audiences.length === 0) return false;
  return takenAudience(node, audience) === undefined;
};

/** Whether the claims are for this audience: `aud` is a text or a list of texts. */
export const isForAudience = (claims: ClaimSet, audience: string): boolean =>
  takenAudience({ audiences: [audience] }, ownClaim(claims, 'aud')) !== undefined;

type Check = Omit<TraceStep, 'at'>;

const takenAudience = (
  { audiences }: Pick<JwtNode, 'audiences'>,
  audience: unknown,
): string | undefined => {
  const given: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  return audiences.find((wanted) => given.includes(wanted));
};

const audienceCheck = (node: JwtNode, audience: unknown): Check => {
  const match = takenAudience(node, audience);
  if (match !== undefined) return { what: 'audience', outcome: 'passed', value: match };
  return {
    what: 'audience',
    outcome: 'note',
    detail: `${told('aud', audience)}; a token would need one of ${JSON.stringify(node.audiences)}`,
  };
};

const expiryCheck = (expiry: unknown, now: number): Check =>
  typeof expiry !== 'number' || expiry * 1000 < now
    ? {
        what: 'exp',
        outcome: 'note',
        detail: `${told('exp', expiry)}; a token would count as expired`,
      }
    : {
        what: 'exp',
        outcome: 'passed',
        detail: `ends ${spanText(expiry * 1000 - now)} from now`,
        value: expiry,
      };

const notBeforeCheck = (notBefore: unknown, now: number): readonly Check[] => {
  if (typeof notBefore !== 'number') return [];
  return (notBefore - leewaySeconds) * 1000 > now
    ? [
        {
          what: 'nbf',
          outcome: 'note',
          detail: `nbf is ${notBefore}; a token would not be valid yet`,
        },
      ]
    : [{ what: 'nbf', outcome: 'passed', value: notBefore }];
};

const told = (name: string, value: unknown): string =>
  value === undefined ? `the claims have no ${name}` : `${name} is ${JSON.stringify(value)}`;

/** The real server's patience with `nbf`. */
const leewaySeconds = 60;

/** `42 minutes`, in the largest unit that has two of it. */
const spanText = (milliseconds: number): string => {
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
