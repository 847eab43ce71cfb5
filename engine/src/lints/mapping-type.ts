/**
 * kube-apiserver checks the result type of rules only: a username of type bool or a group list of
 * ints loads, and then every token is rejected.
 */
import type { CelNode } from '../cel/tree/ast.ts';
import { formatCelType } from '../cel/values/type-format.ts';
import type { CelType } from '../cel/values/types.ts';
import type { Compilation } from '../compile/compile.ts';
import { unescapedQuote } from '../config/rules/edit-scalar.ts';
import { asAccessChanging, asChoice, type Fix } from '../diagnostics/diagnostic.ts';
import type { Span } from '../source/span.ts';
import { defineLint } from './parts/define-lint.ts';
import { isClaimData, stringLiteral } from './parts/expression-nodes.ts';
import {
  type ExpressionRole,
  type ExpressionUse,
  editExpression,
  expressionUses,
  spanInFile,
  textOf,
  wholeExpression,
} from './parts/expression-uses.ts';

interface Args {
  readonly role: ExpressionRole;
  readonly type: string;
}

export const mappingType = defineLint<Args>({
  code: 'AG4004',
  name: 'mapping-type',
  summary: 'A mapping returns a type that kube-apiserver cannot use, so every token is rejected.',
  message: ({ role, type }) =>
    `every token is rejected: ${role} must be ${wanted(role)}, and this expression has the type ${type}`,
  help: ({ role, type }) =>
    role === 'groups' && type === 'bool'
      ? "Choose groups by the condition: condition ? ['admin'] : []."
      : `Make it ${wanted(role)}.`,
  check(compilation, report) {
    for (const use of expressionUses(compilation)) {
      if (use.role === 'claim rule' || use.role === 'user rule') continue;
      const { tree, type } = use.compilation.checked;
      if (use.compilation.errors.length > 0 || fits(use.role, type)) continue;
      report(
        spanInFile(use, tree.span),
        { role: use.role, type: formatCelType(type) },
        { fixes: fixesOf(compilation, use) },
      );
    }
  },
});

/**
 * Returns fixes only if their result is a name that a person would recognize. `string()` of a bool
 * would put users into the group `true`, and `string()` of a double, a size, a time or a duration
 * gives names that no issuer sends.
 */
const fixesOf = (compilation: Compilation, use: ExpressionUse): readonly Fix[] => {
  const { tree, type } = use.compilation.checked;
  const whole = wholeExpression(use);
  if (whole === undefined) return [];
  const text = textOf(use, whole);
  const isList = use.role === 'groups' || use.role === 'extra';
  const write = (title: string, newText: string): readonly Fix[] => [
    asAccessChanging({ title, edits: editExpression(compilation, use, whole, newText) }),
  ];
  if (use.role === 'groups' && type.kind === 'bool')
    return groupOfCondition(compilation, use, whole);
  if (textual.has(type.kind) && (use.role === 'extra' || isIntOfClaim(tree)))
    return write('Wrap in string()', `string(${text})`);
  if (isList && type.kind === 'list' && isConvertible(use.role, type.element))
    return write('Convert the items to strings', `${asOperand(tree, text)}.map(r, string(r))`);
  // An optional without a value is valid: it adds no group.
  if (isList && type.kind === 'optional')
    return write('Append .orValue([])', `${asOperand(tree, text)}.orValue([])`);
  return [];
};

/**
 * Adds a group if the condition is true; the group has the name that the condition tests for, unless
 * the name is reserved.
 */
const groupOfCondition = (
  compilation: Compilation,
  use: ExpressionUse,
  whole: Span,
): readonly Fix[] => {
  const name = testedName(use.compilation.checked.tree);
  if (name === undefined || !/^(?!system:)\w[\w.:/ -]*$/.test(name)) return [];
  const quote = unescapedQuote(compilation.document.source, use.located);
  const result = `[${quote}${name}${quote}]`;
  const newText = `${textOf(use, whole)} ? ${result} : []`;
  const edits = editExpression(compilation, use, whole, newText);
  return [asChoice(asAccessChanging({ title: `Write … ? ${result} : []`, edits }))];
};

/**
 * Returns the name that the whole condition tests for, as in `'admin' in claims.roles`,
 * `claims.roles.contains('admin')` and `claims.roles.exists(r, r == 'admin')`.
 */
const testedName = (tree: CelNode): string | undefined => {
  const tested = tree.kind === 'comprehension' ? comparisonOf(tree) : tree;
  if (tested?.kind !== 'call' || !membershipTests.has(tested.function)) return undefined;
  const operands = tested.target === undefined ? tested.args : [tested.target, ...tested.args];
  const names = operands.flatMap((node) => stringLiteral(node) ?? []);
  const [name] = names;
  return names.length === 1 && operands.length === 2 ? name : undefined;
};

const membershipTests: ReadonlySet<string> = new Set(['@in', '_==_', 'contains']);

/** Returns the comparison of `exists(r, r == 'admin')`, which the macro combines with `||`. */
const comparisonOf = ({ loopStep }: Extract<CelNode, { kind: 'comprehension' }>) =>
  loopStep.kind === 'call' && loopStep.function === '_||_' ? loopStep.args[1] : undefined;

/** Returns true for `int(claims.x)` and `uint(claims.x)`: a number that the issuer assigned. */
const isIntOfClaim = (node: CelNode): boolean =>
  node.kind === 'call' &&
  (node.function === 'int' || node.function === 'uint') &&
  node.target === undefined &&
  isClaimData(node.args[0]);

const isConvertible = (role: ExpressionRole, { kind }: CelType): boolean =>
  role === 'extra' ? textual.has(kind) : kind === 'int' || kind === 'uint';

/** Returns the text in a form on which a member function can be called. */
const asOperand = (tree: CelNode, text: string): string =>
  tree.kind === 'call' && /^_[^[?]|^[!-]_|^@in|^_\?_:_/.test(tree.function) ? `(${text})` : text;

/** The types that `string()` accepts. */
const textual: ReadonlySet<string> = new Set([
  'bool',
  'int',
  'uint',
  'double',
  'timestamp',
  'duration',
]);

const wanted = (role: ExpressionRole): string =>
  role === 'groups' || role === 'extra' ? 'a string or a list of strings' : 'a string';

const fits = (role: ExpressionRole, type: CelType): boolean => {
  if (['string', 'dyn', 'any', 'error'].includes(type.kind)) return true;
  if (role !== 'groups' && role !== 'extra') return false;
  if (type.kind === 'null') return true;
  return (
    type.kind === 'list' && ['string', 'dyn', 'any', 'param', 'error'].includes(type.element.kind)
  );
};
