/**
 * `string()` of a claim that is a number by its definition: 1763727600 becomes `1.7637276e+09`, and
 * digits are lost from 2^53 on.
 */
import type { Compilation } from '../compile/compile.ts';
import { defineRule } from '../diagnostics/rule.ts';
import { editExpression, expressionUses, spanInFile, textOf } from './parts/expression-uses.ts';
import { isNumericDate, walk } from './parts/walk-tree.ts';

interface Args {
  readonly text: string;
  readonly claim: string;
}

export const numberText = defineRule<Compilation, Args>({
  code: 'AG4018',
  name: 'number-text',
  severity: 'warning',
  source: 'lint',
  summary: 'A number in a claim is converted to a string in the format of a double.',
  message: ({ text, claim }) =>
    `${text} gives a text like 1.7637276e+09: numbers in claims are doubles, ${claim} too`,
  help: ({ claim }) => `Make it an integer first: string(int(${claim})).`,
  check(compilation, report) {
    for (const use of expressionUses(compilation)) {
      walk(use.compilation.checked.tree, (node) => {
        if (node.kind !== 'call' || node.function !== 'string') return;
        const [number] = node.args;
        if (number === undefined || !isNumericDate(number)) return;
        const claim = textOf(use, number.span);
        const edits = editExpression(compilation, use, number.span, `int(${claim})`);
        const args = { text: textOf(use, node.span), claim };
        const fix = { title: 'Wrap in int()', edits, changesAccess: true } as const;
        report(spanInFile(use, node.span), args, { fixes: [fix] });
      });
    }
  },
});
