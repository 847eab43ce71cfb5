/** The changes of one expression. */
import type { CheckedExpression } from '../../cel/check/checked-expression.ts';
import { claimMentions, claimNameSpan } from '../../cel/editor/claim-mentions.ts';
import type { CallNode, CelNode, LiteralNode } from '../../cel/tree/ast.ts';
import { sourceNodes } from '../../cel/tree/source-tree.ts';
import { type Span, span } from '../../source/span.ts';
import type { TextEdit } from '../../source/text-edit.ts';
import type { MutationOperator } from './mutant.ts';

/** A change of an expression; the edits are those of the decoded expression. */
export interface ExpressionMutation {
  readonly operator: MutationOperator;
  readonly description: string;
  readonly edits: readonly TextEdit[];
}

/** The changes of one or more expressions. */
export interface ExpressionMutations {
  readonly mutations: readonly ExpressionMutation[];
  /** How many elements of long lists are not changed. */
  readonly leftOut: number;
}

/** Returns the changes of an expression. */
export const expressionMutations = (
  { parsed }: CheckedExpression,
  root: 'claims' | 'user',
): ExpressionMutations => new ExpressionMutator(parsed, root).mutations();

/** Returns another claim for a changed name; every token has `sub`. */
export const otherClaim = (name: string): string => (name === 'sub' ? 'name' : 'sub');

/** The opposites of operators and functions. */
const swaps: ReadonlyMap<string, readonly [MutationOperator, string, string]> = new Map([
  ['_&&_', ['LogicalOperator', '&&', '||']],
  ['_||_', ['LogicalOperator', '||', '&&']],
  ['_==_', ['EqualityOperator', '==', '!=']],
  ['_!=_', ['EqualityOperator', '!=', '==']],
  ['_<_', ['EqualityOperator', '<', '<=']],
  ['_<=_', ['EqualityOperator', '<=', '<']],
  ['_>_', ['EqualityOperator', '>', '>=']],
  ['_>=_', ['EqualityOperator', '>=', '>']],
  ['all', ['MethodExpression', 'all', 'exists']],
  ['exists', ['MethodExpression', 'exists', 'all']],
  ['startsWith', ['MethodExpression', 'startsWith', 'contains']],
  ['endsWith', ['MethodExpression', 'endsWith', 'contains']],
  ['lowerAscii', ['MethodExpression', 'lowerAscii', 'upperAscii']],
  ['upperAscii', ['MethodExpression', 'upperAscii', 'lowerAscii']],
]);

/** Macros whose last argument is a condition. */
const conditionMacros: ReadonlySet<string> = new Set([
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'filter',
]);

class ExpressionMutator {
  readonly #parsed: CheckedExpression['parsed'];
  readonly #root: 'claims' | 'user';
  readonly #mutations: ExpressionMutation[] = [];
  /** The source nodes by their ID in the expanded tree. */
  readonly #sources: ReadonlyMap<number, CelNode>;
  /** The offsets of literals that are names of claims. */
  readonly #nameStarts: ReadonlySet<number>;

  constructor(parsed: CheckedExpression['parsed'], root: 'claims' | 'user') {
    this.#parsed = parsed;
    this.#root = root;
    this.#sources = new Map(sourceNodes(parsed).map(({ expandedId, node }) => [expandedId, node]));
    this.#nameStarts = new Set(claimMentions(parsed, root).map(({ name }) => name.start));
  }

  mutations(): ExpressionMutations {
    const leftOut = new Set([...this.#sources.values()].flatMap(lastElements));
    for (const [id, node] of this.#sources) {
      if (leftOut.has(id)) continue;
      if (node.kind === 'call') this.#call(node);
      if (node.kind === 'literal') this.#literal(node);
      if (node.kind === 'list') this.#elements(node.elements);
    }
    this.#claimNames();
    return { mutations: this.#mutations, leftOut: leftOut.size };
  }

  #call(node: CallNode): void {
    const swap = swaps.get(node.function);
    if (swap !== undefined) {
      const [operator, from, to] = swap;
      this.#replace(operator, node.functionSpan, to, `${from} becomes ${to}`);
    }
    const [first, second] = node.args;
    switch (node.function) {
      case '_&&_':
      case '_||_':
        for (const operand of node.args) this.#condition(operand, [node.function === '_&&_']);
        break;
      case '_?_:_':
        if (first !== undefined) this.#condition(first, [true, false]);
        break;
      case '!_':
        this.#replace('BooleanLiteral', node.functionSpan, '', 'the negation is removed');
        break;
      case '_==_':
        if (first !== undefined && second !== undefined) this.#startsWith(node, first, second);
        break;
      case 'matches':
        this.#anchors(node.args.at(-1));
        break;
      default: {
        const condition = conditionMacros.has(node.function) ? node.args.at(-1) : undefined;
        if (condition !== undefined) this.#condition(condition, [true]);
      }
    }
  }

  /** Makes a condition constant. */
  #condition(operand: CelNode, values: readonly boolean[]): void {
    const source = this.#sources.get(operand.id) ?? operand;
    if (source.kind === 'literal' || isLogical(source)) return;
    const written = this.#textAt(source.span);
    for (const value of values) {
      const description = `${written} is always ${value}`;
      if (!written.includes('email_verified')) {
        this.#replace('ConditionalExpression', source.span, String(value), description);
        continue;
      }
      // kube-apiserver requires that the claim is mentioned.
      this.#mutations.push({
        operator: 'EmailVerified',
        description,
        edits: [
          insertion(source.span.start, '('),
          insertion(source.span.end, value ? ' || true)' : ' && false)'),
        ],
      });
    }
  }

  /** Loosens `a == 'b'` to `a.startsWith('b')`. */
  #startsWith(node: CallNode, left: CelNode, right: CelNode): void {
    if (right.kind !== 'literal' || right.constant.kind !== 'string') return;
    if (left.kind === 'literal' || right.constant.value === '') return;
    const source = this.#sources.get(left.id) ?? left;
    const needsBrackets =
      source.kind === 'call' && /^(?:_[^.[]*_|!_|-_|@in)$/.test(source.function);
    const { text } = this.#parsed;
    let { start, end } = node.functionSpan;
    while (text[start - 1] === ' ') start--;
    while (text[end] === ' ') end++;
    this.#mutations.push({
      operator: 'EqualityOperator',
      description: '== becomes startsWith',
      edits: [
        ...(needsBrackets
          ? [insertion(source.span.start, '('), insertion(source.span.end, ')')]
          : []),
        { span: span(start, end), newText: '.startsWith(' },
        insertion(right.span.end, ')'),
      ],
    });
  }

  /** Removes `^` and `$` from a regular expression. */
  #anchors(pattern: CelNode | undefined): void {
    if (pattern?.kind !== 'literal' || pattern.constant.kind !== 'string') return;
    const written = this.#textAt(pattern.span);
    const [, open = '', body = '', close = ''] = /^([rR]?["'])(.*)(["'])$/s.exec(written) ?? [];
    const bodyStart = pattern.span.start + open.length;
    const bodyEnd = pattern.span.end - close.length;
    if (body.startsWith('^'))
      this.#replace('Regex', span(bodyStart, bodyStart + 1), '', 'the anchor ^ is removed');
    if (body.endsWith('$') && !body.endsWith('\\$'))
      this.#replace('Regex', span(bodyEnd - 1, bodyEnd), '', 'the anchor $ is removed');
  }

  #literal({ span: place, constant }: LiteralNode): void {
    const written = this.#textAt(place);
    if (constant.kind === 'bool')
      this.#replace('BooleanLiteral', place, String(!constant.value), `${written} is inverted`);
    if (constant.kind === 'string' && constant.value !== '' && !this.#nameStarts.has(place.start))
      this.#replace('StringLiteral', place, this.#quoted(''), `${written} becomes empty`);
  }

  /** Removes each element of a list of literals. */
  #elements(elements: readonly CelNode[]): void {
    if (!elements.every(isLiteral)) return;
    elements.slice(0, maxElements).forEach((element, index) => {
      const previous = elements[index - 1];
      const next = elements[index + 1];
      const place = span(
        previous?.span.end ?? element.span.start,
        previous === undefined ? (next?.span.start ?? element.span.end) : element.span.end,
      );
      const written = this.#textAt(element.span);
      this.#replace('ArrayDeclaration', place, '', `the element ${written} is removed`);
    });
  }

  #claimNames(): void {
    const { text } = this.#parsed;
    if (this.#root !== 'claims') return;
    for (const mention of claimMentions(this.#parsed, 'claims')) {
      const [step, ...deeper] = mention.path;
      if (step?.kind !== 'member' || deeper.length > 0) continue;
      const other = otherClaim(step.name);
      const description = `the claim ${step.name} becomes ${other}`;
      this.#replace('ClaimName', claimNameSpan(mention, text), other, description);
    }
  }

  /** Returns an empty string in the quotes that the expression uses. */
  #quoted(value: string): string {
    const quote = this.#parsed.text.includes('"') ? '"' : "'";
    return quote + value + quote;
  }

  #textAt({ start, end }: Span): string {
    return this.#parsed.text.slice(start, end);
  }

  #replace(operator: MutationOperator, place: Span, newText: string, description: string): void {
    this.#mutations.push({ operator, description, edits: [{ span: place, newText }] });
  }
}

/** More elements of one list are not changed: they would show the same gap in the tests. */
export const maxElements = 20;

/** Returns the IDs of the elements of a list of literals that are not changed. */
const lastElements = (node: CelNode): readonly number[] =>
  node.kind === 'list' && node.elements.every(isLiteral)
    ? node.elements.slice(maxElements).map(({ id }) => id)
    : [];

const isLiteral = ({ kind }: CelNode): boolean => kind === 'literal';

const insertion = (at: number, newText: string): TextEdit => ({ span: span(at, at), newText });

const isLogical = (node: CelNode): boolean =>
  node.kind === 'call' && (node.function === '_&&_' || node.function === '_||_');
