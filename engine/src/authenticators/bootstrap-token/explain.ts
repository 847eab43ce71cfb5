/** Describes in one sentence what the bootstrap token authenticator does. */
import { type ExplainedPart, joinList, quote, simplePart } from '../explained-part.ts';
import type { BootstrapTokenNode } from './node.ts';

export const explainBootstrapToken = (node: BootstrapTokenNode): ExplainedPart =>
  simplePart(
    'bootstrap-token',
    `a token ID.SECRET that is stored in a Secret bootstrap-token-ID in ${node.namespace}, of the type ${joinList(node.secretTypes.map(quote), 'or')}, is system:bootstrap:ID until it expires.`,
  );
