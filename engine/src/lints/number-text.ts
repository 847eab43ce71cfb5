/**
 * `string()` of a claim that is a number by its definition: 1763727600 becomes `1.7637276e+09`, and
 * digits are lost from 2^53 on.
 */
import { nodesOf } from '../cel/tree/child-nodes.ts';
import { defineLint } from './parts/define-lint.ts';
import { isNumericDate } from './parts/expression-nodes.ts';
import { editExpression, expressionUses, spanInFile, textOf } from './parts/expression-uses.ts';

interface Args {
  readonly text: string;
  readonly claim: string;
}

export const numberText = defineLint<Args>({
  code: 'AG4018',
  name: 'number-text',
  summary: 'A number in a claim is converted to a string in the format of a double.',
  message: ({ text, claim }) =>
    `${text} returns a string such as 1.7637276e+09: numbers in claims are doubles, including ${claim}`,
  help: ({ claim }) => `Convert it to an int first: string(int(${claim})).`,
  check(compilation, report) {
    for (const use of expressionUses(compilation)) {
      for (const node of nodesOf(use.compilation.checked.tree)) {
        if (node.kind !== 'call' || node.function !== 'string') continue;
        const [number] = node.args;
        if (number === undefined || !isNumericDate(number)) continue;
        const claim = textOf(use, number.span);
        const edits = editExpression(compilation, use, number.span, `int(${claim})`);
        const args = { text: textOf(use, node.span), claim };
        const fix = { title: 'Wrap in int()', edits, changesAccess: true } as const;
        report(spanInFile(use, node.span), args, { fixes: [fix] });
      }
    }
  },
});
