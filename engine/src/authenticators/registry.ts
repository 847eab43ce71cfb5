/**
 * All authenticators in kube-apiserver's order. If two accept the same credential, the first one
 * decides. Among tokens, JWT comes after static, service account and bootstrap tokens and before webhooks.
 */
import type { ModuleId } from '../model/module-id.ts';
import type { Ports } from '../ports/ports.ts';
import { linkAnonymous } from './anonymous/authenticate.ts';
import type { AnonymousNode } from './anonymous/node.ts';
import { linkAuthenticatingProxy } from './authenticating-proxy/authenticate.ts';
import type { AuthenticatingProxyMaterial } from './authenticating-proxy/compile.ts';
import type { AuthenticatingProxyNode } from './authenticating-proxy/node.ts';
import { linkBootstrapToken } from './bootstrap-token/authenticate.ts';
import type { BootstrapTokenMaterial } from './bootstrap-token/compile.ts';
import type { BootstrapTokenNode } from './bootstrap-token/node.ts';
import { linkClientCertificate } from './client-certificate/authenticate.ts';
import type { ClientCertificateMaterial } from './client-certificate/compile.ts';
import type { ClientCertificateNode } from './client-certificate/node.ts';
import { type JwtAuthenticators, type JwtOptions, linkJwt } from './jwt/authenticate.ts';
import type { JwtNode } from './jwt/node.ts';
import { linkLegacyServiceAccountToken } from './legacy-service-account-token/authenticate.ts';
import type { LegacyServiceAccountTokenMaterial } from './legacy-service-account-token/compile.ts';
import type { LegacyServiceAccountTokenNode } from './legacy-service-account-token/node.ts';
import type { Authenticator } from './module.ts';
import { linkServiceAccountToken } from './service-account-token/authenticate.ts';
import type { ServiceAccountTokenMaterial } from './service-account-token/compile.ts';
import type { ServiceAccountTokenNode } from './service-account-token/node.ts';
import { linkStaticToken } from './static-token/authenticate.ts';
import type { StaticTokenMaterial } from './static-token/compile.ts';
import type { StaticTokenNode } from './static-token/node.ts';
import { linkWebhookToken, type WebhookTokenOptions } from './webhook-token/authenticate.ts';
import type { WebhookTokenMaterial } from './webhook-token/compile.ts';
import type { WebhookTokenNode } from './webhook-token/node.ts';

/** The nodes of the configuration file. */
export interface ModuleNodes {
  readonly nodes: readonly JwtNode[];
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
   * `agnostic`: does not read audiences, so the audiences of the API apply. `aware`: checks the
   * requested audiences itself.
   */
  readonly audiences: 'agnostic' | 'aware';
}

/** The authenticators that are configured with flags, each list in the order in which they run. */
export interface FlagModules {
  /** Authenticators that run before any token is read. */
  readonly certificateModules: readonly FlagModule[];
  readonly tokensBeforeJwt: readonly FlagModule[];
  readonly tokensAfterJwt: readonly FlagModule[];
}

export const noFlagModules: FlagModules = {
  certificateModules: [],
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
): FlagModules => {
  const link = <Node extends { readonly module: ModuleId }, Material>(
    part: FlagModulePart<Node, Material> | undefined,
    audiences: FlagModule['audiences'],
    authenticate: (node: Node, ports: Ports, material: Material) => Authenticator,
  ): readonly FlagModule[] => {
    if (part === undefined) return [];
    const { node, material } = part;
    return [{ id: node.module, audiences, authenticator: authenticate(node, ports, material) }];
  };
  return {
    certificateModules: [
      ...link(parts.authenticatingProxy, 'agnostic', linkAuthenticatingProxy),
      // It does not read audiences, and kube-apiserver does not wrap it with those of the API.
      ...link(parts.clientCertificate, 'aware', linkClientCertificate),
    ],
    tokensBeforeJwt: [
      ...link(parts.staticToken, 'agnostic', linkStaticToken),
      ...link(parts.legacyServiceAccountToken, 'aware', linkLegacyServiceAccountToken),
      ...link(parts.serviceAccountToken, 'aware', linkServiceAccountToken),
      ...link(parts.bootstrapToken, 'agnostic', linkBootstrapToken),
    ],
    tokensAfterJwt: link(parts.webhookToken, 'aware', (node, _ports, material) =>
      linkWebhookToken(node, ports, material, webhook),
    ),
  };
};

/** Creates the authenticators of the configuration file, one node per step. */
export function* linkModules(
  { nodes, anonymous }: ModuleNodes,
  ports: Ports,
  options: JwtOptions,
): Generator<undefined, LinkedModules> {
  const jwt = yield* linkJwt(nodes, ports, options);
  return { jwt, anonymous: linkAnonymous(anonymous) };
}
