/**
 * Describes in sentences, in the order of the checks, what the legacy service account token
 * authenticator does.
 */
import { type ExplainedPart, simplePart } from '../explained-part.ts';
import type { LegacyServiceAccountTokenNode } from './node.ts';

export const explainLegacyServiceAccountToken = (
  node: LegacyServiceAccountTokenNode,
): ExplainedPart => {
  const part = (field: string, sentence: string): ExplainedPart =>
    simplePart(`${node.module}.${field}`, sentence);
  return {
    path: node.module,
    sentence:
      'accepts tokens that are stored in Secrets: their iss is "kubernetes/serviceaccount".',
    parts: [
      part('keys', `signed with the key that kid selects, of ${node.keyIds.length}.`),
      part('times', 'they do not expire.'),
      part(
        'objects',
        node.lookup
          ? 'the Secret must contain the token, and the service account must exist with the same UID.'
          : 'the Secret and the service account are not looked up: a token is valid until its key is removed.',
      ),
    ],
  };
};
