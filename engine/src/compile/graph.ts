/**
 * The authenticator graph: plain, immutable data that can be serialized and hashed. Positions in
 * the source are stored separately (`Origins`); they are not part of the hash.
 */
import type { AnonymousNode } from '../authenticators/anonymous/node.ts';
import type { AuthenticatingProxyNode } from '../authenticators/authenticating-proxy/node.ts';
import type { BootstrapTokenNode } from '../authenticators/bootstrap-token/node.ts';
import type { ClientCertificateNode } from '../authenticators/client-certificate/node.ts';
import type { JwtNode } from '../authenticators/jwt/node.ts';
import type { LegacyServiceAccountTokenNode } from '../authenticators/legacy-service-account-token/node.ts';
import type { ServiceAccountTokenNode } from '../authenticators/service-account-token/node.ts';
import type { StaticTokenNode } from '../authenticators/static-token/node.ts';
import type { WebhookTokenNode } from '../authenticators/webhook-token/node.ts';
import type { Release } from '../model/release.ts';
import type { Span } from '../source/span.ts';

/**
 * A node in the file's list of authenticators. Modules with settings of their own are fields of the
 * graph.
 *
 * @example
 * ```ts
 * const issuer = (node: AuthenticatorNode) => node.issuerUrl;
 * ```
 */
export type AuthenticatorNode = JwtNode;

/**
 * The nodes that flags configure, in the order in which they are called; absent if the flag is
 * absent. None of them contains a secret.
 */
export interface FlagModuleNodes {
  readonly authenticatingProxy?: AuthenticatingProxyNode;
  readonly clientCertificate?: ClientCertificateNode;
  readonly staticToken?: StaticTokenNode;
  readonly legacyServiceAccountToken?: LegacyServiceAccountTokenNode;
  readonly serviceAccountToken?: ServiceAccountTokenNode;
  readonly bootstrapToken?: BootstrapTokenNode;
  /** Called after the entries of the file. */
  readonly webhookToken?: WebhookTokenNode;
}

/**
 * The compiled configuration: plain data without positions, which can be stored as JSON.
 *
 * @example
 * ```ts
 * const issuers = (graph: AuthenticatorGraph) => graph.nodes.map(({ issuerUrl }) => issuerUrl);
 * ```
 */
export interface AuthenticatorGraph extends FlagModuleNodes {
  /** Suffix of the API groups and of reserved names: `k8s.io` or `platform.io`. */
  readonly apiDomain: string;
  readonly targetRelease: Release;
  readonly nodes: readonly AuthenticatorNode[];
  readonly anonymous: AnonymousNode;
}

/**
 * Maps the path of a graph part (`jwt[0].claimMappings.username`) to its position in the source.
 *
 * @example
 * ```ts
 * const origins: Origins = compilation.origins;
 * console.log(origins.get('jwt[0].claimMappings.username'));
 * ```
 */
export type Origins = ReadonlyMap<string, Span>;
