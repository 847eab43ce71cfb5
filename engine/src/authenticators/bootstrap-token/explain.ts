/** What the module does, in a sentence. */
import { type ExplainedPart, joinList, quote } from '../explained-part.ts';
import type { BootstrapTokenNode } from './node.ts';

export const explainBootstrapToken = (node: BootstrapTokenNode): ExplainedPart => ({
  path: 'bootstrap-token',
  sentence: `a token ID.SECRET that a secret bootstrap-token-ID in ${node.namespace} holds, of the type ${joinList(node.secretTypes.map(quote), 'or')}, is system:bootstrap:ID until it expires.`,
  parts: [],
});
