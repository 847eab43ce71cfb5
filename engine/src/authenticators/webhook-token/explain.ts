/** What the module does, in sentences. */
import { type ExplainedPart, joinList, quote } from '../explained-part.ts';
import type { WebhookTokenNode } from './node.ts';

export const explainWebhookToken = (node: WebhookTokenNode): ExplainedPart => ({
  path: 'webhook-token',
  sentence: `a token that nobody before takes is shown to ${quote(node.url)} in a TokenReview of version ${node.version}.`,
  parts: [trust, credential, caching, audiences].map((sentenceOf) => ({
    path: 'webhook-token',
    sentence: sentenceOf(node),
    parts: [],
  })),
});

const trust = ({ trust: kind, file }: WebhookTokenNode): string => {
  switch (kind) {
    case 'unverified':
      return 'its certificate is not checked: anybody may answer.';
    case 'plain HTTP':
      return 'it is asked over plain HTTP: anybody on the way may answer.';
    case 'configured roots':
      return `its certificate must be signed by an authority that ${quote(file)} names.`;
    case 'system roots':
      return 'its certificate must be signed by an authority of this machine.';
  }
};

const credential = ({ credential: kind }: WebhookTokenNode): string => {
  switch (kind) {
    case 'none':
      return 'the server shows no credential of its own.';
    case 'basic':
      return 'the server shows a name and a password of its own.';
    case 'bearer token':
      return 'the server shows a bearer token of its own.';
    case 'client certificate':
      return 'the server shows a client certificate.';
  }
};

const caching = ({ cacheTtlMs }: WebhookTokenNode): string =>
  cacheTtlMs === 0
    ? 'nothing that it says is kept.'
    : `what it says is kept for ${cacheTtlMs / 1000} seconds, acceptance and no opinion alike; failures are not.`;

const audiences = ({ apiAudiences }: WebhookTokenNode): string =>
  apiAudiences.length === 0
    ? 'a review must have one of the audiences that were asked for, where any were.'
    : `a review must have one of the audiences that were asked for, where any were; one without stands for ${joinList(apiAudiences.map(quote), 'and')}.`;
