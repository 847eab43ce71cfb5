/** What the anonymous module does, in a sentence. */
import { type ExplainedPart, joinList, quote } from '../explained-part.ts';
import type { AnonymousNode } from './node.ts';

export const explainAnonymous = (node: AnonymousNode): ExplainedPart => ({
  path: 'anonymous',
  sentence: sentenceOf(node),
  parts: [],
});

const sentenceOf = (node: AnonymousNode): string => {
  if (!node.enabled) return 'a request without a credential is refused.';
  if (node.paths === undefined) return 'a request without a credential is system:anonymous.';
  if (node.paths.length === 0) return 'no path is open; a request without a credential is refused.';
  return `a request without a credential is system:anonymous on ${joinList(node.paths.map(quote), 'and')}, refused elsewhere.`;
};
