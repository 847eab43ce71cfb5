/** What the module does, in sentences, in the order in which a token meets them. */
import type { ExplainedPart } from '../explained-part.ts';
import type { LegacyServiceAccountTokenNode } from './node.ts';

export const explainLegacyServiceAccountToken = (
  node: LegacyServiceAccountTokenNode,
): ExplainedPart => {
  const part = (field: string, sentence: string): ExplainedPart => ({
    path: `${node.module}.${field}`,
    sentence,
    parts: [],
  });
  return {
    path: node.module,
    sentence: 'takes tokens that were put into secrets: their iss is "kubernetes/serviceaccount".',
    parts: [
      part('keys', `signed with the key that kid names, of ${node.keyIds.length}.`),
      part('times', 'they have no end.'),
      part(
        'objects',
        node.lookup
          ? 'the secret must hold the very token, and the account must be there with the same UID.'
          : 'neither secret nor account is looked at: a token works until its key is taken away.',
      ),
    ],
  };
};
