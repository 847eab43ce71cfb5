/** What flags set up, in sentences: the modules beside the entries of the file. */
import { explainAuthenticatingProxy } from '../authenticators/authenticating-proxy/index.ts';
import { explainBootstrapToken } from '../authenticators/bootstrap-token/index.ts';
import { explainClientCertificate } from '../authenticators/client-certificate/index.ts';
import type { ExplainedPart } from '../authenticators/explained-part.ts';
import { explainLegacyServiceAccountToken } from '../authenticators/legacy-service-account-token/index.ts';
import { explainServiceAccountToken } from '../authenticators/service-account-token/index.ts';
import { explainStaticToken } from '../authenticators/static-token/index.ts';
import { explainWebhookToken } from '../authenticators/webhook-token/index.ts';
import type { AuthenticatorGraph } from './graph.ts';

/** All of them, in the order in which a request meets them. */
export const explainFlagModules = (graph: AuthenticatorGraph): readonly ExplainedPart[] => [
  ...requestParts(graph),
  ...tokenPartsBeforeJwt(graph),
  ...tokenPartsAfterJwt(graph),
];

/** Before any token is looked at. */
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
