/** Describes in sentences what the webhook token authenticator does. */
import { type ExplainedPart, joinList, quote, simplePart } from '../explained-part.ts';
import type { WebhookTokenNode } from './node.ts';

export const explainWebhookToken = (node: WebhookTokenNode): ExplainedPart => ({
  path: 'webhook-token',
  sentence: `a token that no earlier authenticator accepts is sent to ${quote(node.url)} in a TokenReview of version ${node.version}.`,
  parts: [trust, credential, caching, audiences].map((sentenceOf) =>
    simplePart('webhook-token', sentenceOf(node)),
  ),
});

const trust = ({ trust: kind, file }: WebhookTokenNode): string => {
  switch (kind) {
    case 'unverified':
      return 'its certificate is not verified, so any server can respond.';
    case 'plain HTTP':
      return 'it is called over plain HTTP, so any machine on the network path can respond.';
    case 'configured roots':
      return `its certificate must be signed by an authority in ${quote(file)}.`;
    case 'system roots':
      return "its certificate must be signed by one of the system's certificate authorities.";
  }
};

const credential = ({ credential: kind }: WebhookTokenNode): string => {
  switch (kind) {
    case 'none':
      return 'the server sends no credential.';
    case 'basic':
      return 'the server authenticates with a username and a password.';
    case 'bearer token':
      return 'the server authenticates with a bearer token.';
    case 'client certificate':
      return 'the server authenticates with a client certificate.';
  }
};

const caching = ({ cacheTtlMs }: WebhookTokenNode): string =>
  cacheTtlMs === 0
    ? 'responses are not cached.'
    : `responses are cached for ${cacheTtlMs / 1000} seconds, whether they accept the token or not; failures are not cached.`;

const audiences = ({ apiAudiences }: WebhookTokenNode): string =>
  apiAudiences.length === 0
    ? 'a review must have one of the requested audiences, if there are any.'
    : `a review must have one of the requested audiences, if there are any; one without audiences has ${joinList(apiAudiences.map(quote), 'and')}.`;
