/** What the module does, in sentences. */
import { type ExplainedPart, listed, quoted } from '../explained-part.ts';
import type { WebhookTokenNode } from './node.ts';

export const explainWebhookToken = (node: WebhookTokenNode): ExplainedPart => ({
  path: 'webhook-token',
  sentence: `a token that nobody before takes is shown to ${quoted(node.url)} in a TokenReview of version ${node.version}.`,
  parts: [trust, credential, keeping, audiences].map((tell) => ({
    path: 'webhook-token',
    sentence: tell(node),
    parts: [],
  })),
});

const trust = ({ trust: kind, file }: WebhookTokenNode): string => {
  switch (kind) {
    case 'anybody':
      return 'its certificate is not checked: anybody may answer.';
    case 'plain HTTP':
      return 'it is asked over plain HTTP: anybody on the way may answer.';
    case 'given roots':
      return `its certificate must be signed by an authority that ${quoted(file)} names.`;
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

const keeping = ({ cacheTtlMs }: WebhookTokenNode): string =>
  cacheTtlMs === 0
    ? 'nothing that it says is kept.'
    : `what it says is kept for ${cacheTtlMs / 1000} seconds, acceptance and no opinion alike; failures are not.`;

const audiences = ({ apiAudiences }: WebhookTokenNode): string =>
  apiAudiences.length === 0
    ? 'a review must have one of the audiences that were asked for, where any were.'
    : `a review must have one of the audiences that were asked for, where any were; one without stands for ${listed(apiAudiences.map(quoted), 'and')}.`;
