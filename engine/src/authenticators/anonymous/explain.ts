/** Describes in one sentence what the anonymous authenticator does. */
import { type ExplainedPart, joinList, quote, simplePart } from '../explained-part.ts';
import type { AnonymousNode } from './node.ts';

export const explainAnonymous = (node: AnonymousNode): ExplainedPart =>
  simplePart('anonymous', sentenceOf(node));

const sentenceOf = (node: AnonymousNode): string => {
  if (!node.enabled) return 'requests without a credential are rejected.';
  if (node.paths === undefined) return 'requests without a credential are system:anonymous.';
  if (node.paths.length === 0)
    return 'anonymous requests are allowed on no path; requests without a credential are rejected.';
  return `requests without a credential are system:anonymous on ${joinList(node.paths.map(quote), 'and')} and rejected on other paths.`;
};
