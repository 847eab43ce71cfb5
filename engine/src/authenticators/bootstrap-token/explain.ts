/** What the module does, in a sentence. */
import { type ExplainedPart, listed, quoted } from '../explained-part.ts';
import type { BootstrapTokenNode } from './node.ts';

export const explainBootstrapToken = (node: BootstrapTokenNode): ExplainedPart => ({
  path: 'bootstrap-token',
  sentence: `a token ID.SECRET that a secret bootstrap-token-ID in ${node.namespace} holds, of the type ${listed(node.secretTypes.map(quoted), 'or')}, is system:bootstrap:ID until it expires.`,
  parts: [],
});
