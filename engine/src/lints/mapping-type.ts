/**
 * kube-apiserver checks the result type of rules only: a username of type bool or a group list of
 * ints loads, and then every token is rejected.
 */
import type { CelNode } from '../cel/tree/ast.ts';
import { formatCelType } from '../cel/values/type-format.ts';
import type { CelType } from '../cel/values/types.ts';
import type { Compilation } from '../compile/compile.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import { defineLint } from './parts/define-lint.ts';
import {
  type ExpressionRole,
  type ExpressionUse,
  editExpression,
  expressionUses,
  spanInFile,
  textOf,
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
  help: ({ role }) => `Make it ${wanted(role)}; string(…) converts a single value to a string.`,
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

const fixesOf = (compilation: Compilation, use: ExpressionUse): readonly Fix[] => {
  const { tree, type } = use.compilation.checked;
  const text = textOf(use, tree.span);
  const isList = use.role === 'groups' || use.role === 'extra';
  const write = (title: string, newText: string): readonly Fix[] => [
    { title, edits: editExpression(compilation, use, tree.span, newText), changesAccess: true },
  ];
  if (textual.has(type.kind)) return write('Wrap in string()', `string(${text})`);
  if (isList && type.kind === 'list' && textual.has(type.element.kind))
    return write('Convert the items to strings', `${asOperand(tree, text)}.map(r, string(r))`);
  // An optional without a value is valid: it adds no group.
  if (isList && type.kind === 'optional')
    return write('Append .orValue([])', `${asOperand(tree, text)}.orValue([])`);
  return [];
};

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
