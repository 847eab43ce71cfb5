/** Compares the decisions of two graphs about many sets of claims: everything is linked once. */
import { type LinkedMapping, linkMapping } from '../../authenticators/jwt/link-mapping.ts';
import { mapClaims } from '../../authenticators/jwt/map-claims.ts';
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { tokenCredentialIdKey } from '../../model/api-domain.ts';
import { type Decision, noOpinion } from '../../model/decision.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { isSameUser } from '../access/decide-claims.ts';
import { authenticatorIndexFor, decisionOf } from '../whoami/claims-decision.ts';
import { type DecidedSide, heldToAudience } from './audience-change.ts';
import type { AccessChange } from './diff.ts';

/** The decisions about one set of claims. */
export interface ComparedClaims {
  readonly kind: AccessChange['kind'];
  readonly before: Decision;
  readonly after: Decision;
}

/** Links both graphs and returns the function that compares their decisions about claims. */
export const linkComparer = (
  before: AuthenticatorGraph,
  after: AuthenticatorGraph,
): ((claims: ClaimSet) => ComparedClaims) => {
  const keys = new Map<string, number>();
  const findBefore = linkSide(before, keys);
  const findAfter = linkSide(after, keys);
  return (claims) => {
    const old = findBefore(claims);
    const changed = findAfter(claims);
    // Equal authenticators decide alike, so only one of them has to run.
    if (old?.key === changed?.key) {
      const decision = old?.decide(claims) ?? noOpinion;
      return { kind: 'same', before: decision, after: decision };
    }
    const [was, is] = heldToAudience(claims, decidedBy(old, claims), decidedBy(changed, claims));
    // Equal mappings give the same user, so only the rules can decide differently.
    const isSame = old?.mappingKey === changed?.mappingKey ? () => true : isSameUser;
    return { kind: kindOf(was, is, isSame), before: was, after: is };
  };
};

interface LinkedAuthenticator {
  readonly node: JwtNode;
  /** Equal only for authenticators that decide all claims alike. */
  readonly key: number;
  /** Equal only for authenticators that map all claims to the same user. */
  readonly mappingKey: number;
  decide(claims: ClaimSet): Decision;
}

/** `keys` numbers the texts of what is compared, so that only numbers are compared for each set of claims. */
const linkSide = (
  graph: AuthenticatorGraph,
  keys: Map<string, number>,
): ((claims: ClaimSet) => LinkedAuthenticator | undefined) => {
  const credentialIdKey = tokenCredentialIdKey(graph.apiDomain, graph.targetRelease);
  const options = { mode: 'product', credentialIdKey } as const;
  const keyOf = (compared: readonly unknown[]): number => {
    const text = JSON.stringify(compared);
    const key = keys.get(text) ?? keys.size;
    keys.set(text, key);
    return key;
  };
  const linked = graph.nodes.map((node): LinkedAuthenticator => {
    const mapping: LinkedMapping = linkMapping(node, planSerialized);
    const { username, groups, uid, extra } = node;
    return {
      node,
      key: keyOf([node, credentialIdKey]),
      mappingKey: keyOf([username, groups, uid, extra, credentialIdKey]),
      decide: (claims) => decisionOf(mapClaims(mapping, claims, options)),
    };
  });
  const issuers = graph.nodes.map(({ issuerUrl }) => issuerUrl);
  return (claims) => linked[authenticatorIndexFor(issuers, claims) ?? -1];
};

const decidedBy = (
  authenticator: LinkedAuthenticator | undefined,
  claims: ClaimSet,
): DecidedSide => ({
  decision: authenticator?.decide(claims) ?? noOpinion,
  node: authenticator?.node,
});

const kindOf = (
  before: Decision,
  after: Decision,
  isSame: (a: UserInfo, b: UserInfo) => boolean,
): AccessChange['kind'] => {
  if (before.kind !== 'accepted') return after.kind === 'accepted' ? 'gained' : 'same';
  if (after.kind !== 'accepted') return 'lost';
  return isSame(before.user, after.user) ? 'same' : 'changed';
};
