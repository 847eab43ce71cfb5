/**
 * `claims.roles.split(",")` as a whole groups or extra expression compiles, and then every token is
 * rejected: kube-apiserver does not accept lists made by CEL's own string functions as string
 * lists.
 */
import type { CelNode } from '../cel/tree/ast.ts';
import { span } from '../source/span.ts';
import { defineLint } from './parts/define-lint.ts';
import { resultNodes } from './parts/expression-nodes.ts';
import { editExpression, expressionUses, spanInFile, textOf } from './parts/expression-uses.ts';

interface Args {
  readonly text: string;
  readonly role: string;
}

export const nativeStringList = defineLint<Args>({
  code: 'AG4001',
  name: 'native-string-list',
  summary:
    'A mapping returns the list from split() or findAll() directly, so every token is rejected.',
  message: ({ text, role }) =>
    `every token is rejected: kube-apiserver cannot convert the list that ${text} returns to ${role}`,
  help: () => 'Append .map(r, r), which returns a list that kube-apiserver accepts.',
  check(compilation, report) {
    for (const use of expressionUses(compilation)) {
      if (use.role !== 'groups' && use.role !== 'extra') continue;
      for (const node of resultNodes(use.compilation.checked.tree)) {
        const maker = listMaker(node);
        if (maker === undefined) continue;
        // A sum needs parentheses before a member call can follow it.
        const isCall = node.kind === 'call' && node.target !== undefined;
        const text = textOf(use, node.span);
        const edits = isCall
          ? editExpression(compilation, use, span(node.span.end, node.span.end), '.map(r, r)')
          : editExpression(compilation, use, node.span, `(${text}).map(r, r)`);
        report(
          spanInFile(use, node.span),
          { text: `${textOf(use, maker.functionSpan)}()`, role: use.role },
          { fixes: [{ title: 'Append .map(r, r)', edits, changesAccess: true }] },
        );
      }
    }
  },
});

/** Returns the call that creates the list; adding an empty list to it does not change its value. */
const listMaker = (node: CelNode): Extract<CelNode, { kind: 'call' }> | undefined => {
  if (node.kind !== 'call') return undefined;
  if (node.function === 'split' || node.function === 'findAll') return node;
  if (node.function !== '_+_') return undefined;
  const [left, right] = node.args;
  if (left !== undefined && isEmptyList(right)) return listMaker(left);
  if (right !== undefined && isEmptyList(left)) return listMaker(right);
  return undefined;
};

const isEmptyList = (node: CelNode | undefined): boolean =>
  node?.kind === 'list' && node.elements.length === 0;
