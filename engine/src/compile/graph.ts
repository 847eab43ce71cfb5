/**
 * The authenticator graph: plain immutable data, serialisable, hashed. Where its parts stand in the
 * source is kept beside it (`Origins`), not in it and not in its hash.
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

/** A node of the file's list of authenticators. A module with settings of its own has a field of the graph. */
export type AuthenticatorNode = JwtNode;

/** What flags set up, in the order in which it is asked; absent where its flag is. No secret stands here. */
export interface FlagModuleNodes {
  readonly authenticatingProxy?: AuthenticatingProxyNode;
  readonly clientCertificate?: ClientCertificateNode;
  readonly staticToken?: StaticTokenNode;
  readonly legacyServiceAccountToken?: LegacyServiceAccountTokenNode;
  readonly serviceAccountToken?: ServiceAccountTokenNode;
  readonly bootstrapToken?: BootstrapTokenNode;
  /** Asked behind the entries of the file. */
  readonly webhookToken?: WebhookTokenNode;
}

/** The compiled configuration: plain data without places, which JSON can hold. */
export interface AuthenticatorGraph extends FlagModuleNodes {
  /** Suffix of the API groups and reserved names that the file speaks: `k8s.io` or `platform.io`. */
  readonly apiDomain: string;
  readonly targetRelease: Release;
  readonly nodes: readonly AuthenticatorNode[];
  readonly anonymous: AnonymousNode;
}

/** Path of a graph part (`jwt[0].claimMappings.username`) -> its place in the source. */
export type Origins = ReadonlyMap<string, Span>;
