/**
 * `claims.x.orValue(y)` lacks the question mark: older releases return `claims.x` if the claim is
 * present; newer ones fail for every token, with or without the claim.
 */
import type { CelNode } from '../cel/tree/ast.ts';
import { nodesOf } from '../cel/tree/child-nodes.ts';
import type { Compilation } from '../compile/compile.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import { releaseName, strictOptionalsSince } from '../model/release.ts';
import { span } from '../source/span.ts';
import { defineLint } from './parts/define-lint.ts';
import { isClaimData, isClaims } from './parts/expression-nodes.ts';
import {
  type ExpressionUse,
  editExpression,
  expressionUses,
  spanInFile,
  textOf,
} from './parts/expression-uses.ts';

interface Args {
  readonly operand: string;
  readonly name: string;
}

export const missingOptionalSelect = defineLint<Args>({
  code: 'AG4019',
  name: 'missing-optional-select',
  summary: 'An expression calls orValue() on a claim that is read without a question mark.',
  message: ({ operand, name }) =>
    `${name}() requires an optional, but ${operand} is not one. From ${releaseName(strictOptionalsSince)} every token is rejected, in earlier releases every token without the claim`,
  help: () => 'Read the claim with a question mark: claims.?name.orValue(…).',
  check(compilation, report) {
    for (const use of expressionUses(compilation)) {
      for (const node of nodesOf(use.compilation.checked.tree)) {
        if (node.kind !== 'call' || (node.function !== 'orValue' && node.function !== 'or'))
          continue;
        const { target } = node;
        if (target === undefined || !isClaimData(target)) continue;
        const operand = textOf(use, target.span);
        const args = { operand, name: node.function };
        // `or` needs an optional as its other operand too, which this fix cannot write.
        const fixes = node.function === 'or' ? [] : fixesOf(compilation, use, target);
        report(spanInFile(use, node.span), args, { fixes });
      }
    }
  },
});

/**
 * Adds a question mark after the first dot or bracket; every later selection is then optional too.
 */
const fixesOf = (compilation: Compilation, use: ExpressionUse, target: CelNode): readonly Fix[] => {
  const first = firstRead(target);
  if (first === undefined) return [];
  const written = textOf(use, first.span);
  const mark = /^\s*\.?claims\s*[.[]/.exec(written);
  if (mark === null) return [];
  const at = first.span.start + mark[0].length;
  const edits = editExpression(compilation, use, span(at, at), '?');
  return [{ title: 'Read the claim with a question mark', edits, changesAccess: true }];
};

/** Returns the first claim read of a chain: `claims.a` of `claims.a.b[0]`. */
const firstRead = (target: CelNode): CelNode | undefined => {
  let node: CelNode | undefined = target;
  while (node !== undefined) {
    const operand: CelNode | undefined =
      node.kind === 'select' ? node.operand : node.kind === 'call' ? node.args[0] : undefined;
    if (isClaims(operand)) return node;
    node = operand;
  }
  return undefined;
};
