/**
 * A number in a claim is a double: `%`, arithmetic with an int, and `timestamp()` compile and fail
 * for every token; `string()` loses digits from 2^53 on.
 */
import type { CallNode, CelNode } from '../cel/tree/ast.ts';
import { nodesOf } from '../cel/tree/child-nodes.ts';
import { defineLint } from './parts/define-lint.ts';
import { isClaimData, isNumericDate } from './parts/expression-nodes.ts';
import { editExpression, expressionUses, spanInFile, textOf } from './parts/expression-uses.ts';

interface Args {
  readonly text: string;
  readonly claim: string;
  readonly why: string;
}

export const claimNumber = defineLint<Args>({
  code: 'AG4003',
  name: 'claim-number',
  summary: 'An expression treats a number in a claim as an int and fails for every token.',
  message: ({ text, claim, why }) =>
    `${text} fails for every token: a number in ${claim} is a double, ${why}`,
  help: ({ claim }) =>
    `Convert the claim with int(${claim}), or write the constant as a double (1.0).`,
  check(compilation, report) {
    for (const use of expressionUses(compilation)) {
      for (const node of nodesOf(use.compilation.checked.tree)) {
        const found = node.kind === 'call' ? misuse(node) : undefined;
        if (found === undefined) continue;
        const newText = found.write(textOf(use, found.place.span));
        const edits = editExpression(compilation, use, found.place.span, newText);
        report(
          spanInFile(use, node.span),
          { text: textOf(use, node.span), claim: textOf(use, found.claim.span), why: found.why },
          { fixes: [{ title: found.title, edits, changesAccess: true }] },
        );
      }
    }
  },
});

interface Misuse {
  /** The claim's own node. */
  readonly claim: CelNode;
  readonly why: string;
  readonly title: string;
  readonly place: CelNode;
  /** Builds the replacement text from the text that is there now. */
  readonly write: (text: string) => string;
}

const misuse = (node: CallNode): Misuse | undefined => {
  const [left, right] = node.args;
  switch (node.function) {
    case '_%_':
      return toInt(left, 'and % requires ints') ?? toInt(right, 'and % requires ints');
    case '_+_':
    case '_-_':
    case '_*_':
    case '_/_':
      return arithmeticWithInt(left, right) ?? arithmeticWithInt(right, left);
    case 'timestamp':
      return isNumericDate(left) ? toInt(left, 'and timestamp() requires an int') : undefined;
    default:
      return undefined;
  }
};

const toInt = (claim: CelNode | undefined, why: string): Misuse | undefined =>
  claim === undefined || !isClaimData(claim)
    ? undefined
    : { claim, why, title: 'Wrap in int()', place: claim, write: (text) => `int(${text})` };

/** Reports a claim used with an int constant, for which no operator overload exists. */
const arithmeticWithInt = (
  claim: CelNode | undefined,
  other: CelNode | undefined,
): Misuse | undefined => {
  if (claim === undefined || !isClaimData(claim)) return undefined;
  if (other?.kind !== 'literal' || other.constant.kind !== 'int') return undefined;
  return {
    claim,
    why: 'and no operator accepts a double and an int',
    title: `Write ${other.constant.value}.0`,
    place: other,
    write: (text) => `${text}.0`,
  };
};
