/** Sentences about the modules that are configured by flags rather than by the file. */
import { explainAuthenticatingProxy } from '../authenticators/authenticating-proxy/explain.ts';
import { explainBootstrapToken } from '../authenticators/bootstrap-token/explain.ts';
import { explainClientCertificate } from '../authenticators/client-certificate/explain.ts';
import type { ExplainedPart } from '../authenticators/explained-part.ts';
import { explainLegacyServiceAccountToken } from '../authenticators/legacy-service-account-token/explain.ts';
import { explainServiceAccountToken } from '../authenticators/service-account-token/explain.ts';
import { explainStaticToken } from '../authenticators/static-token/explain.ts';
import { explainWebhookToken } from '../authenticators/webhook-token/explain.ts';
import type { AuthenticatorGraph } from './graph.ts';

/**
 * Explains all modules that are configured by flags, in the order in which a request reaches them.
 */
export const explainFlagModules = (graph: AuthenticatorGraph): readonly ExplainedPart[] => [
  ...requestParts(graph),
  ...tokenPartsBeforeJwt(graph),
  ...tokenPartsAfterJwt(graph),
];

/** Explains the modules that run before any token is examined. */
export const requestParts = (graph: AuthenticatorGraph): readonly ExplainedPart[] => [
  ...explained(graph.authenticatingProxy, explainAuthenticatingProxy),
  ...explained(graph.clientCertificate, explainClientCertificate),
];

export const tokenPartsBeforeJwt = (graph: AuthenticatorGraph): readonly ExplainedPart[] => [
  ...explained(graph.staticToken, explainStaticToken),
  ...explained(graph.legacyServiceAccountToken, explainLegacyServiceAccountToken),
  ...explained(graph.serviceAccountToken, explainServiceAccountToken),
  ...explained(graph.bootstrapToken, explainBootstrapToken),
];

export const tokenPartsAfterJwt = (graph: AuthenticatorGraph): readonly ExplainedPart[] =>
  explained(graph.webhookToken, explainWebhookToken);

const explained = <Node>(
  node: Node | undefined,
  explain: (node: Node) => ExplainedPart,
): readonly ExplainedPart[] => (node === undefined ? [] : [explain(node)]);
