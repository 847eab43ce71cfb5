/**
 * The real server checks the result type of rules only: a username of type bool or a group list of
 * ints loads, and then every token is refused.
 */
import { typeText } from '../cel/type-text.ts';
import type { CelType } from '../cel/types.ts';
import type { Compilation } from '../compile/compile.ts';
import { defineRule } from '../diagnostics/rule.ts';
import {
  type ExpressionRole,
  editExpression,
  expressionUses,
  spanInFile,
  textOf,
} from './expression-uses.ts';

interface Args {
  readonly role: ExpressionRole;
  readonly type: string;
}

export const mappingType = defineRule<Compilation, Args>({
  code: 'AG4004',
  name: 'mapping-type',
  severity: 'warning',
  source: 'lint',
  summary: 'A mapping of a type that the server cannot use refuses every token.',
  message: ({ role, type }) =>
    `every token is refused here: ${role} must be ${wanted(role)}, and this expression is of type ${type}`,
  help: ({ role }) => `Make it ${wanted(role)}; string(…) turns a single value into text.`,
  check(compilation, report) {
    for (const use of expressionUses(compilation)) {
      if (use.role === 'claim rule' || use.role === 'user rule') continue;
      const { tree, type } = use.compilation.checked;
      if (use.compilation.errors.length > 0 || fits(use.role, type)) continue;
      const edits = [
        editExpression(compilation, use, tree.span, `string(${textOf(use, tree.span)})`),
      ];
      report(
        spanInFile(use, tree.span),
        { role: use.role, type: typeText(type) },
        textual.has(type.kind) ? { fixes: [{ title: 'Wrap in string()', edits }] } : {},
      );
    }
  },
});

/** Types that `string()` takes. */
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
