/**
 * `1 / 0` or `ip("x")` compiles and then fails for every token that reaches it. This lint evaluates
 * each part of an expression that reads no claim once and reports its error.
 */

import { planExpression } from '../cel/evaluate/plan.ts';
import type { CelNode } from '../cel/tree/ast.ts';
import { childNodes, nodesOf } from '../cel/tree/child-nodes.ts';
import { defineLint } from './parts/define-lint.ts';
import { type ExpressionUse, expressionUses, spanInFile, textOf } from './parts/expression-uses.ts';

interface Args {
  readonly text: string;
  readonly error: string;
}

export const constantFailure = defineLint<Args>({
  code: 'AG4005',
  name: 'constant-failure',
  summary: 'A constant part of an expression fails every time it is evaluated.',
  message: ({ text, error }) => `${text} fails whenever it is evaluated: ${error}`,
  help: () => 'Fix the constant; kube-apiserver reports it only when a token is evaluated.',
  check(compilation, report) {
    for (const use of expressionUses(compilation)) {
      if (use.compilation.errors.length > 0) continue;
      for (const node of constantParts(use.compilation.checked.tree)) {
        const error = failureOf(use, node);
        if (error === undefined) continue;
        report(spanInFile(use, node.span), { text: textOf(use, node.span), error });
      }
    }
  },
});

/** Returns the largest calls in the expression that contain no variable. */
const constantParts = (root: CelNode): readonly CelNode[] => {
  const parts: CelNode[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'call' && !readsVariable(node)) parts.push(node);
    else waiting.push(...childNodes(node));
  }
  return parts;
};

const readsVariable = (root: CelNode): boolean =>
  nodesOf(root).some(({ kind }) => kind === 'ident' || kind === 'hole' || kind === 'comprehension');

const failureOf = (use: ExpressionUse, tree: CelNode): string | undefined => {
  const planned = planExpression({ ...use.compilation.checked, tree });
  return 'program' in planned ? planned.program.evaluate(null).error : undefined;
};
