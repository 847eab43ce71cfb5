/** Decides recorded claims as a server with the graph would have decided them at that time. */
import { literalsOf, markStart } from '../../authenticators/jwt/claim-record.ts';
import { type LinkedMapping, linkMapping } from '../../authenticators/jwt/link-mapping.ts';
import { mapClaims } from '../../authenticators/jwt/map-claims.ts';
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { readsExtra } from '../../authenticators/jwt/reads-extra.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { type JsonObject, ownMember } from '../../formats/json-with-shape.ts';
import type { Decision } from '../../model/decision.ts';
import { normalizeIssuer } from '../../signed-token/payload.ts';
import { type ClaimPath, elementStep } from '../access/claim-reads.ts';
import { decisionOf } from '../whoami/claims-decision.ts';
import { refusedClaims } from '../whoami/whoami-claims.ts';
import { type ClaimUses, claimUsesOf } from './claim-uses.ts';
import { MissingValueError, openClaims } from './recorded-claims.ts';

/** Recorded claims, and what is known about the strings that are missing in them. */
export interface ClaimsToDecide {
  readonly claims: JsonObject;
  /** When the token was validated, in milliseconds since 1970. */
  readonly time: number;
  /** Strings that none of the missing strings equals. */
  readonly absent: ReadonlySet<string>;
  /** Returns the string that has a pseudonym, if it is known. */
  stringOf(pseudonym: string): string | undefined;
}

/** The decision of one authenticator, or the reason why there is none. */
export type RecordDecision =
  | { readonly kind: 'decided'; readonly decision: Decision }
  | { readonly kind: 'open'; readonly reason: string };

/** One authenticator of a graph. */
export interface RecordAuthenticator {
  readonly node: JwtNode;
  /** Equal only for authenticators that decide all claims alike. */
  readonly key: string;
  decide(record: ClaimsToDecide): RecordDecision;
}

/** A graph that decides recorded claims. */
export interface RecordDecider {
  /** The strings with which the graph compares claims. */
  readonly literals: ReadonlySet<string>;
  /** Returns the authenticator of the claims, `undefined` if there is none, or an open question. */
  authenticatorOf(
    claims: JsonObject,
  ): RecordAuthenticator | undefined | { readonly reason: string };
}

/** Links a graph. */
export const linkRecordDecider = ({ nodes }: AuthenticatorGraph): RecordDecider => {
  const byIssuer = new Map(nodes.map((node) => [node.issuerUrl, linkAuthenticator(node)]));
  return {
    literals: literalsOf(nodes),
    authenticatorOf(claims) {
      const issuer = ownMember(claims, 'iss');
      if (typeof issuer !== 'string') return undefined;
      return issuer.startsWith(markStart)
        ? { reason: new MissingValueError('iss').message }
        : byIssuer.get(normalizeIssuer(issuer));
    },
  };
};

const linkAuthenticator = (node: JwtNode): RecordAuthenticator => {
  const mapping = linkMapping(node, planSerialized);
  let uses: ClaimUses | undefined;
  return {
    node,
    key: JSON.stringify(node),
    decide(record) {
      uses ??= claimUsesOf(node);
      try {
        return decideClaims({ node, mapping, uses }, record);
      } catch (cause) {
        if (cause instanceof MissingValueError) return { kind: 'open', reason: cause.message };
        throw cause;
      }
    },
  };
};

interface LinkedNode {
  readonly node: JwtNode;
  readonly mapping: LinkedMapping;
  readonly uses: ClaimUses;
}

const decideClaims = (
  { node, mapping, uses }: LinkedNode,
  { claims: recorded, time, absent, stringOf }: ClaimsToDecide,
): RecordDecision => {
  const audiencesAreKnown = node.audiences.every((audience) => absent.has(audience));
  const claims = openClaims(recorded, {
    stringOf,
    treatsAlike: (path) => (isAudience(path) ? audiencesAreKnown : uses.treatsAlike(path, absent)),
  });
  if (claims === undefined) {
    return { kind: 'open', reason: 'the claims are nested deeper than a decision log contains' };
  }
  if (readsDistributedGroups(node, claims)) {
    return { kind: 'open', reason: 'the groups are in a distributed claim' };
  }
  if (ownNames(claims).has('jti') && readsTokenId(node)) {
    return { kind: 'open', reason: 'a rule may depend on the ID of the token' };
  }
  const token = Object.fromEntries(
    ['iss', 'aud', 'exp', 'nbf', 'iat'].flatMap((name) => {
      const value = ownMember(claims, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const refused = refusedClaims(node, { claims: token, unreadable }, time);
  if (refused !== undefined) return { kind: 'decided', decision: refused };
  // The ID of a token is not in the log, and no configuration can change how it is mapped.
  const options = { mode: 'product', credentialIdKey: undefined } as const;
  const decision = decisionOf(mapClaims(mapping, { claims, unreadable }, options));
  return { kind: 'decided', decision };
};

const unreadable: ReadonlyMap<string, string> = new Map();

const ownNames = (claims: JsonObject): ReadonlySet<string> => new Set(Object.keys(claims));

/** Checks whether a path is that of an audience, or of the only one. */
const isAudience = ([name, step, ...rest]: ClaimPath): boolean =>
  name === 'aud' && rest.length === 0 && (step === undefined || step === elementStep);

/** Checks whether the groups would be fetched from another server. */
const readsDistributedGroups = ({ groups }: JwtNode, claims: JsonObject): boolean => {
  const names = ownNames(claims);
  return groups?.kind === 'claim' && names.has('_claim_names') && !names.has(groups.claim);
};

/** Checks whether a user validation rule reads the extra values, which contain the ID of the token. */
const readsTokenId = ({ userValidationRules }: JwtNode): boolean =>
  userValidationRules.some(({ expression }) => readsExtra(expression));
