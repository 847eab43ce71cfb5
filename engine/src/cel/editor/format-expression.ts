/**
 * The formatter of expressions. It only changes whitespace and commas before a closing bracket, so
 * the
 * tree stays the same. An expression is formatted on a single line, unless the author used several
 * lines and one would be too long. An expression with comments keeps its line breaks.
 */
import type { CstElement, CstNode, IToken } from 'chevrotain';
import { newestRelease } from '../../model/release.ts';
import { nestingDepth, parseStrictly, tokenize } from '../syntax/grammar.ts';
import { operatorPrecedences } from '../syntax/operator-chain.ts';
import { maxFastPathNesting, parseCel } from '../syntax/parser.ts';
import { formatLines } from './format-lines.ts';

const lineWidth = 100;
const indentWidth = 2;

export interface FormatOptions {
  /**
   * `one` formats on a single line, `many` puts the outermost parts on separate lines. By default,
   * several lines are used if the author used several and a single one would be too long.
   */
  readonly lines?: 'one' | 'many';
  /**
   * Column of the expression in the file, at which its lines start; it reduces their maximum width.
   */
  readonly column?: number;
}

/**
 * Formats an expression. Returns `undefined` if it is invalid, too deeply nested, or has comments
 * and
 * has to fit on one line.
 */
export const formatExpression = (text: string, options: FormatOptions = {}): string | undefined => {
  const { tokens, comments, broken } = tokenize(text);
  if (broken || nestingDepth(tokens) > maxFastPathNesting) return undefined;
  if (comments.length > 0 && options.lines === 'one') return undefined;
  const parsed = parseCel(text, { release: newestRelease });
  if (parsed.errors.length > 0) return undefined;
  const column = options.column ?? 0;
  if (comments.length > 0) return formatLines(text, column);
  const { root } = parseStrictly(tokens);
  if (root === undefined) return undefined;
  const layout = expression(root);
  if (options.lines === 'many') return layout.spread(column);
  return options.lines === undefined && hasLineBreaks(text, tokens)
    ? render(layout, column)
    : layout.flat;
};

/**
 * A part on a single line, and a function that spreads it over lines indented by `indent` columns.
 */
interface Layout {
  readonly flat: string;
  readonly spread: (indent: number) => string;
}

const render = (layout: Layout, indent: number): string =>
  indent + layout.flat.length <= lineWidth ? layout.flat : layout.spread(indent);

const hasLineBreaks = (text: string, tokens: readonly IToken[]): boolean => {
  let end = 0;
  for (const token of tokens) {
    if (text.slice(end, token.startOffset).includes('\n')) return true;
    end = token.startOffset + token.image.length;
  }
  return false;
};

const line = (indent: number): string => `\n${' '.repeat(indent)}`;

const fixedLayout = (flat: string): Layout => ({ flat, spread: () => flat });

const rowLayout = (parts: readonly Layout[]): Layout => ({
  flat: parts.map((part) => part.flat).join(''),
  spread: (indent) => parts.map((part) => render(part, indent)).join(''),
});

const expression = (cst: CstNode): Layout => {
  const [condition, whenTrue] = nodes(cst, 'chain').map(chain);
  const [whenFalse] = nodes(cst, 'expression').map(expression);
  if (condition === undefined) return fixedLayout('');
  if (whenTrue === undefined || whenFalse === undefined) return condition;
  return {
    flat: `${condition.flat} ? ${whenTrue.flat} : ${whenFalse.flat}`,
    spread: (indent) => {
      const inside = indent + indentWidth;
      return [
        render(condition, indent),
        `${line(inside)}? ${render(whenTrue, inside + 2)}`,
        `${line(inside)}: ${render(whenFalse, inside + 2)}`,
      ].join('');
    },
  };
};

const chain = (cst: CstNode): Layout => {
  const operators = tokensOf(cst, 'BinaryOperator').map((token) => token.image);
  return bindOperands(nodes(cst, 'operand').map(operand), operators);
};

/**
 * Lays out operands and the operators between them. A long chain breaks after the operators of
 * lowest precedence.
 */
const bindOperands = (operands: readonly Layout[], operators: readonly string[]): Layout => {
  const [first] = operands;
  if (first === undefined) return fixedLayout('');
  if (operators.length === 0) return first;
  const least = Math.min(...operators.map((operator) => operatorPrecedences.get(operator) ?? 0));
  const terms: Layout[] = [];
  const between: string[] = [];
  let start = 0;
  for (const [index, operator] of operators.entries()) {
    if (operatorPrecedences.get(operator) !== least) continue;
    terms.push(bindOperands(operands.slice(start, index + 1), operators.slice(start, index)));
    between.push(operator);
    start = index + 1;
  }
  terms.push(bindOperands(operands.slice(start), operators.slice(start)));
  return {
    flat: terms.map((term, index) => withOperator(term.flat, between[index])).join(' '),
    spread: (indent) =>
      terms
        .map((term, index) => withOperator(render(term, indent + indentWidth), between[index]))
        .join(line(indent + indentWidth)),
  };
};

const withOperator = (term: string, operator: string | undefined): string =>
  operator === undefined ? term : `${term} ${operator}`;

const operand = (cst: CstNode): Layout => {
  const signs = [...tokensOf(cst, 'Not'), ...tokensOf(cst, 'Minus')].map((token) => token.image);
  const parts = [fixedLayout(signs.join('')), ...nodes(cst, 'primary').map(primary)];
  const selectors = nodes(cst, 'selector');
  const whole = rowLayout([...parts, ...selectors.map(selector)]);
  const calls = selectors.flatMap((each, index) => (has(each, 'LeftParen') ? [index] : []));
  const [first = 0] = calls;
  if (calls.length < chainedCallThreshold) return whole;
  // Chained calls go on separate lines.
  const links = calls.map((from, call) =>
    rowLayout(selectors.slice(from, calls[call + 1]).map(selector)),
  );
  const head = rowLayout([...parts, ...selectors.slice(0, first).map(selector)]);
  return {
    flat: whole.flat,
    spread: (indent) => {
      const inside = indent + indentWidth;
      return [render(head, indent), ...links.map((link) => render(link, inside))].join(
        line(inside),
      );
    },
  };
};

/** Minimum number of calls in a chain that is split into lines. */
const chainedCallThreshold = 2;

const primary = (cst: CstNode): Layout => {
  const [literal] = tokensOf(cst, 'literal');
  if (literal !== undefined) return fixedLayout(literal.image);
  const [name] = tokensOf(cst, 'Identifier');
  if (name !== undefined) {
    const dot = tokensOf(cst, 'Dot').length > 0 ? '.' : '';
    const head = fixedLayout(`${dot}${name.image}`);
    return has(cst, 'LeftParen') ? rowLayout([head, args(cst)]) : head;
  }
  if (has(cst, 'LeftParen')) return enclosed('(', nodes(cst, 'expression').map(expression), ')');
  if (has(cst, 'LeftBracket'))
    return enclosed('[', slots(cst, 'listElement').map(listElement), ']');
  return enclosed('{', slots(cst, 'mapEntry').map(mapEntry), '}');
};

const selector = (cst: CstNode): Layout => {
  const question = has(cst, 'Question') ? '?' : '';
  const [field] = tokensOf(cst, 'field');
  if (field !== undefined) {
    const head = fixedLayout(`.${question}${field.image}`);
    return has(cst, 'LeftParen') ? rowLayout([head, args(cst)]) : head;
  }
  if (has(cst, 'LeftBracket')) {
    return rowLayout([
      fixedLayout(`[${question}`),
      ...nodes(cst, 'expression').map(expression),
      fixedLayout(']'),
    ]);
  }
  return enclosed('{', slots(cst, 'structField').map(structField), '}');
};

const args = (cst: CstNode): Layout =>
  enclosed(
    '(',
    slots(cst, 'argument').flatMap((slot) => nodes(slot, 'expression').map(expression)),
    ')',
  );

const listElement = (cst: CstNode): Layout =>
  rowLayout([
    fixedLayout(has(cst, 'Question') ? '?' : ''),
    ...nodes(cst, 'expression').map(expression),
  ]);

const mapEntry = (cst: CstNode): Layout => {
  const [key = fixedLayout(''), value = fixedLayout('')] = nodes(cst, 'expression').map(expression);
  return rowLayout([fixedLayout(has(cst, 'Question') ? '?' : ''), key, fixedLayout(': '), value]);
};

const structField = (cst: CstNode): Layout => {
  const [field] = tokensOf(cst, 'field');
  const head = `${has(cst, 'Question') ? '?' : ''}${field?.image ?? ''}: `;
  return rowLayout([fixedLayout(head), ...nodes(cst, 'expression').map(expression)]);
};

/** Lays out parts in brackets; if they do not fit on a line, each part gets a line of its own. */
const enclosed = (open: string, parts: readonly Layout[], close: string): Layout => ({
  flat: `${open}${parts.map((part) => part.flat).join(', ')}${close}`,
  spread: (indent) => {
    if (parts.length === 0) return `${open}${close}`;
    const inside = indent + indentWidth;
    const lines = parts.map((part) => `${line(inside)}${render(part, inside)}`);
    return `${open}${lines.join(',')}${line(indent)}${close}`;
  },
});

const isNode = (element: CstElement): element is CstNode => 'children' in element;

const nodes = (cst: CstNode, name: string): readonly CstNode[] =>
  (cst.children[name] ?? []).filter(isNode);

/** Returns the slots that are not empty; the one after a trailing comma is. */
const slots = (cst: CstNode, name: string): readonly CstNode[] =>
  nodes(cst, name).filter((slot) => Object.keys(slot.children).length > 0);

const tokensOf = (cst: CstNode, name: string): readonly IToken[] =>
  (cst.children[name] ?? []).filter((element): element is IToken => !isNode(element));

const has = (cst: CstNode, name: string): boolean => cst.children[name] !== undefined;
