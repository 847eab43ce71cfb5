/** Decides claims as a server with the graph does for a token with a valid signature. */
import { type LinkedMapping, linkMapping } from '../../authenticators/jwt/link-mapping.ts';
import { mapClaims } from '../../authenticators/jwt/map-claims.ts';
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { JsonObject } from '../../formats/json-with-shape.ts';
import { tokenCredentialIdKey } from '../../model/api-domain.ts';
import type { Mode } from '../../model/differences.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { normalizeIssuer } from '../../signed-token/payload.ts';
import { decisionOf } from '../whoami/claims-decision.ts';
import { isValidToken } from './token-parts.ts';

/** Returns the user of a token with these claims, or `null` if it is rejected. */
export type DecideClaims = (claims: JsonObject) => UserInfo | null;

/** Links a graph; without one, every token is rejected. */
export const linkDecider = (graph: AuthenticatorGraph | undefined, mode: Mode): DecideClaims => {
  if (graph === undefined) return () => null;
  const nodes = new Map(graph.nodes.map((node) => [node.issuerUrl, node]));
  // Most comparisons concern few authenticators, so that each is linked on demand.
  const linked = new Map<JwtNode, LinkedMapping>();
  const linkedMapping = (node: JwtNode): LinkedMapping => {
    const mapping = linked.get(node) ?? linkMapping(node, planSerialized);
    linked.set(node, mapping);
    return mapping;
  };
  const credentialIdKey = tokenCredentialIdKey(graph.apiDomain, graph.targetRelease);
  return (claims) => {
    const { iss } = claims;
    const node = typeof iss === 'string' ? nodes.get(normalizeIssuer(iss)) : undefined;
    if (node === undefined) return null;
    const outcome = mapClaims(
      linkedMapping(node),
      { claims, unreadable: noneUnreadable },
      { mode, credentialIdKey },
    );
    const decision = decisionOf(outcome);
    // The token's own checks take longer than most mappings, so they come last.
    const isAccepted = decision.kind === 'accepted' && isValidToken(node, claims, mode);
    return isAccepted ? decision.user : null;
  };
};

/** Checks whether two users are the same for every authorizer: the order of groups has no meaning. */
export const isSameUser = (a: UserInfo, b: UserInfo): boolean =>
  a.username === b.username &&
  a.uid === b.uid &&
  haveSameItems(a.groups, b.groups) &&
  a.extra.size === b.extra.size &&
  [...a.extra].every(([key, values]) => haveSameItems(values, b.extra.get(key)));

const haveSameItems = (a: readonly string[], b: readonly string[] | undefined): boolean => {
  if (b === undefined) return false;
  if (a.length === b.length && a.every((item, index) => item === b[index])) return true;
  const first = new Set(a);
  const second = new Set(b);
  return first.size === second.size && [...first].every((item) => second.has(item));
};

const noneUnreadable: ReadonlyMap<string, string> = new Map();
