/** What the module does, in sentences, in the order in which a token meets them. */
import { type ExplainedPart, joinList, quote } from '../explained-part.ts';
import type { ServiceAccountTokenNode } from './node.ts';

export const explainServiceAccountToken = (node: ServiceAccountTokenNode): ExplainedPart => {
  const part = (field: string, sentence: string): ExplainedPart => ({
    path: `${node.module}.${field}`,
    sentence,
    parts: [],
  });
  const { issuers, keyIds, apiAudiences } = node;
  return {
    path: node.module,
    sentence: `takes tokens whose iss is ${joinList(issuers.map(quote), 'or')}.`,
    parts: [
      part('keys', `signed with ${keysText(keyIds)}.`),
      part(
        'audiences',
        apiAudiences.length === 0
          ? 'any audience will do.'
          : `aud must hold ${joinList(apiAudiences.map(quote), 'or')}, or what a review asks for.`,
      ),
      part('times', 'exp, nbf and iat may be off by a minute.'),
      part(
        'objects',
        'the account must be there with the same UID, and so must the pod, secret or node that the token is bound to; what is being deleted counts for another minute.',
      ),
    ],
  };
};

const keysText = (keyIds: readonly string[]): string =>
  keyIds.length === 1
    ? `key ${quote(keyIds[0] ?? '')}`
    : `the key that kid names, of ${keyIds.length}`;
