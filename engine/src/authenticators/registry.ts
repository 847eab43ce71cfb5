/**
 * All authenticators in kube-apiserver's order. If two accept the same credential, the first one
 * decides. Among tokens, JWT comes after static and service account tokens and before webhooks.
 */
import { planSerialized } from '../cel/evaluate/plan-serialized.ts';
import { tokenCredentialIdKey } from '../model/api-domain.ts';
import type { Mode } from '../model/differences.ts';
import type { ModuleId } from '../model/module-id.ts';
import type { Release } from '../model/release.ts';
import type { Ports } from '../ports/ports.ts';
import { authenticateAnonymous } from './anonymous/index.ts';
import type { AnonymousNode } from './anonymous/node.ts';
import {
  type AuthenticatingProxyMaterial,
  type AuthenticatingProxyNode,
  authenticateAuthenticatingProxy,
} from './authenticating-proxy/index.ts';
import {
  authenticateBootstrapToken,
  type BootstrapTokenMaterial,
  type BootstrapTokenNode,
} from './bootstrap-token/index.ts';
import {
  authenticateClientCertificate,
  type ClientCertificateMaterial,
  type ClientCertificateNode,
} from './client-certificate/index.ts';
import {
  authenticateJwt,
  type JwtAuthenticators,
  type KeyRefetch,
  traceMapping,
} from './jwt/index.ts';
import type { JwtNode } from './jwt/node.ts';
import {
  authenticateLegacyServiceAccountToken,
  type LegacyServiceAccountTokenMaterial,
  type LegacyServiceAccountTokenNode,
} from './legacy-service-account-token/index.ts';
import type { Authenticator } from './module.ts';
import {
  authenticateServiceAccountToken,
  type ServiceAccountTokenMaterial,
  type ServiceAccountTokenNode,
} from './service-account-token/index.ts';
import {
  authenticateStaticToken,
  type StaticTokenMaterial,
  type StaticTokenNode,
} from './static-token/index.ts';
import {
  authenticateWebhookToken,
  type WebhookTokenMaterial,
  type WebhookTokenNode,
  type WebhookTokenOptions,
} from './webhook-token/index.ts';

export interface RegistryOptions {
  readonly mode: Mode;
  readonly refetch: KeyRefetch;
  readonly keySetMetrics: boolean;
  /** The API domain of the graph, which is part of reserved names. */
  readonly apiDomain: string;
  /** The release of the graph, whose behavior is followed. */
  readonly release: Release;
}

/** The nodes of the configuration file. */
export interface ModuleNodes {
  readonly tokens: readonly JwtNode[];
  readonly anonymous: AnonymousNode;
}

export interface LinkedModules {
  /** The authenticators of all `jwt` entries; the issuer of a token selects the entry. */
  readonly jwt: JwtAuthenticators;
  readonly anonymous: Authenticator;
}

/**
 * An authenticator that is configured with flags. It lives as long as the server and is not
 * affected by reloads of the configuration file.
 */
export interface FlagModule {
  readonly id: ModuleId;
  readonly authenticator: Authenticator;
  /**
   * `agnostic`: does not know audiences, so the audiences of the API apply. `aware`: checks the
   * requested audiences itself.
   */
  readonly audiences: 'agnostic' | 'aware';
}

/** The authenticators that are configured with flags, each list in the order in which they run. */
export interface FlagModules {
  /** Authenticators that run before any token is read. */
  readonly requests: readonly FlagModule[];
  readonly tokensBeforeJwt: readonly FlagModule[];
  readonly tokensAfterJwt: readonly FlagModule[];
}

export const noFlagModules: FlagModules = {
  requests: [],
  tokensBeforeJwt: [],
  tokensAfterJwt: [],
};

/** The node of an authenticator and the runtime data that is not part of it. */
export interface FlagModulePart<Node, Material> {
  readonly node: Node;
  readonly material: Material;
}

export interface FlagModuleParts {
  readonly authenticatingProxy?: FlagModulePart<
    AuthenticatingProxyNode,
    AuthenticatingProxyMaterial
  >;
  readonly clientCertificate?: FlagModulePart<ClientCertificateNode, ClientCertificateMaterial>;
  readonly staticToken?: FlagModulePart<StaticTokenNode, StaticTokenMaterial>;
  readonly legacyServiceAccountToken?: FlagModulePart<
    LegacyServiceAccountTokenNode,
    LegacyServiceAccountTokenMaterial
  >;
  readonly serviceAccountToken?: FlagModulePart<
    ServiceAccountTokenNode,
    ServiceAccountTokenMaterial
  >;
  readonly bootstrapToken?: FlagModulePart<BootstrapTokenNode, BootstrapTokenMaterial>;
  readonly webhookToken?: FlagModulePart<WebhookTokenNode, WebhookTokenMaterial>;
}

/** Creates the authenticators that are configured with flags, in kube-apiserver's order. */
export const linkFlagModules = (
  parts: FlagModuleParts,
  ports: Ports,
  webhook: WebhookTokenOptions,
): FlagModules => ({
  requests: [
    ...linkIfPresent(parts.authenticatingProxy, 'agnostic', ({ node, material }) =>
      authenticateAuthenticatingProxy(node, ports, material),
    ),
    // It does not know audiences, and kube-apiserver does not wrap it with those of the API.
    ...linkIfPresent(parts.clientCertificate, 'aware', ({ node, material }) =>
      authenticateClientCertificate(node, ports, material),
    ),
  ],
  tokensBeforeJwt: [
    ...linkIfPresent(parts.staticToken, 'agnostic', ({ node, material }) =>
      authenticateStaticToken(node, ports, material),
    ),
    ...linkIfPresent(parts.legacyServiceAccountToken, 'aware', ({ node, material }) =>
      authenticateLegacyServiceAccountToken(node, ports, material),
    ),
    ...linkIfPresent(parts.serviceAccountToken, 'aware', ({ node, material }) =>
      authenticateServiceAccountToken(node, ports, material),
    ),
    ...linkIfPresent(parts.bootstrapToken, 'agnostic', ({ node, material }) =>
      authenticateBootstrapToken(node, ports, material),
    ),
  ],
  tokensAfterJwt: linkIfPresent(parts.webhookToken, 'aware', ({ node, material }) =>
    authenticateWebhookToken(node, ports, material, webhook),
  ),
});

const linkIfPresent = <Part extends { readonly node: { readonly module: ModuleId } }>(
  part: Part | undefined,
  audiences: FlagModule['audiences'],
  authenticate: (part: Part) => Authenticator,
): readonly FlagModule[] =>
  part === undefined
    ? []
    : [{ id: part.node.module, audiences, authenticator: authenticate(part) }];

/** Creates the authenticators of the configuration file, one node per step. */
export function* linkModules(
  nodes: ModuleNodes,
  ports: Ports,
  { mode, refetch, keySetMetrics, apiDomain, release }: RegistryOptions,
): Generator<undefined, LinkedModules> {
  const jwt = yield* authenticateJwt(nodes.tokens, ports, {
    mode,
    release,
    refetch,
    keySetMetrics,
    credentialIdKey: tokenCredentialIdKey(apiDomain, release),
    plan: planSerialized,
    traceMapping,
  });
  return { jwt, anonymous: authenticateAnonymous(nodes.anonymous) };
}
