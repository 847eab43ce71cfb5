/**
 * The authenticator graph: plain immutable data, serialisable, hashed. Where its parts stand in the
 * source is kept beside it (`Origins`), not in it and not in its hash.
 */
import type { AnonymousNode } from '../authenticators/anonymous/node.ts';
import type { BootstrapTokenNode } from '../authenticators/bootstrap-token/index.ts';
import type { JwtNode } from '../authenticators/jwt/node.ts';
import type { StaticTokenNode } from '../authenticators/static-token/index.ts';
import type { Release } from '../model/release.ts';
import type { Span } from '../source/span.ts';

/** A node of the file's list of authenticators. A module with settings of its own has a field of the graph. */
export type AuthenticatorNode = JwtNode;

/** What flags set up, in the order in which it is asked; absent where its flag is. No secret stands here. */
export interface StandingNodes {
  readonly staticToken?: StaticTokenNode;
  readonly bootstrapToken?: BootstrapTokenNode;
}

export interface AuthenticatorGraph extends StandingNodes {
  /** Suffix of the API groups and reserved names that the file speaks: `k8s.io` or `platform.io`. */
  readonly apiDomain: string;
  readonly targetRelease: Release;
  readonly nodes: readonly AuthenticatorNode[];
  readonly anonymous: AnonymousNode;
}

/** Path of a graph part (`jwt[0].claimMappings.username`) -> its place in the source. */
export type Origins = ReadonlyMap<string, Span>;
