/**
 * Describes in sentences, in the order of the checks, what the service account token authenticator
 * does.
 */
import { type ExplainedPart, joinList, quote, simplePart } from '../explained-part.ts';
import type { ServiceAccountTokenNode } from './node.ts';

export const explainServiceAccountToken = (node: ServiceAccountTokenNode): ExplainedPart => {
  const part = (field: string, sentence: string): ExplainedPart =>
    simplePart(`${node.module}.${field}`, sentence);
  const { issuers, keyIds, apiAudiences } = node;
  return {
    path: node.module,
    sentence: `accepts tokens whose iss is ${joinList(issuers.map(quote), 'or')}.`,
    parts: [
      part('keys', `signed with ${keysText(keyIds)}.`),
      part(
        'audiences',
        apiAudiences.length === 0
          ? 'any audience is accepted.'
          : `aud must contain ${joinList(apiAudiences.map(quote), 'or')}, or an audience of the request.`,
      ),
      part('times', 'exp, nbf and iat have a leeway of one minute.'),
      part(
        'objects',
        'the service account must exist with the same UID, and so must the pod, Secret or node that the token is bound to; a deleted object is accepted for one more minute.',
      ),
    ],
  };
};

const keysText = (keyIds: readonly string[]): string =>
  keyIds.length === 1
    ? `key ${quote(keyIds[0] ?? '')}`
    : `the key that kid selects, of ${keyIds.length}`;
