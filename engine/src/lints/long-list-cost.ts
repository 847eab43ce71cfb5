/**
 * Loops inside of loops cost the square of the length of a list: a user with many groups exceeds
 * the cost limit of kube-apiserver, and is rejected.
 */
import type { CelNode } from '../cel/tree/ast.ts';
import { nodesOf } from '../cel/tree/child-nodes.ts';
import type { JwtAuthenticatorConfig } from '../config/configuration.ts';
import { defineLint } from './parts/define-lint.ts';
import { claimRead } from './parts/expression-nodes.ts';
import { forEachEntry, spanInFile } from './parts/expression-uses.ts';

interface Args {
  readonly claim: string;
}

export const longListCost = defineLint<Args>({
  code: 'AG4036',
  name: 'long-list-cost',
  summary: 'An expression exceeds the cost limit for tokens with a long list.',
  message: ({ claim }) =>
    `tokens with ${listLength} elements in ${claim} are rejected: this loop runs for every pair of elements and exceeds the cost limit of an expression`,
  help: () => 'Test the elements in a single loop, or compare the list with a constant list.',
  check(compilation, report) {
    forEachEntry(compilation, (entry, uses, index) => {
      for (const use of uses) {
        const outer = nodesOf(use.compilation.checked.tree).find(isNestedLoop);
        if (outer?.kind !== 'comprehension') continue;
        const claim = listClaim(outer.iterRange, entry);
        if (claim === undefined) continue;
        report(
          spanInFile(use, outer.span),
          { claim },
          { question: { kind: 'cost', entry: index, claim, listLength, isOpen: true } },
        );
      }
    });
  },
});

/** Users of large organizations are in so many groups. */
const listLength = 500;

const isNestedLoop = (node: CelNode): boolean =>
  node.kind === 'comprehension' &&
  nodesOf(node).some((inner) => inner !== node && inner.kind === 'comprehension');

/** Returns the claim whose elements a loop visits, also through the mapping of groups. */
const listClaim = (
  range: CelNode,
  { claimMappings: { groups } }: JwtAuthenticatorConfig,
): string | undefined => {
  for (const node of nodesOf(range)) {
    const claim = claimRead(node);
    if (claim !== undefined) return claim;
    if (node.kind === 'select' && node.field === 'groups') return groups?.claim?.value;
  }
  return undefined;
};
