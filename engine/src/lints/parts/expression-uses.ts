/** Lists every expression of a configuration with its role, for lints that read expressions. */
import type { ExpressionCompilation } from '../../cel/compile-expression.ts';
import type { Compilation } from '../../compile/compile.ts';
import type { JwtAuthenticatorConfig, LocatedString } from '../../config/configuration.ts';
import { expressionsOf } from '../../config/expressions.ts';
import { editScalar } from '../../config/rules/edit-scalar.ts';
import { oncePer } from '../../source/once.ts';
import { toFileSpan } from '../../source/position-map.ts';
import { type Span, span } from '../../source/span.ts';
import type { TextEdit } from '../../source/text-edit.ts';

export type ExpressionRole = 'username' | 'groups' | 'uid' | 'extra' | 'claim rule' | 'user rule';

export interface ExpressionUse {
  /** The path of the expression: `jwt[0].claimMappings.groups.expression`. */
  readonly path: string;
  /** The index of the authenticator. */
  readonly authenticator: number;
  readonly role: ExpressionRole;
  readonly located: LocatedString;
  readonly compilation: ExpressionCompilation;
}

/**
 * Returns the expressions in file order, without those that could not be parsed. The same
 * compilation returns the same list, since every lint calls this.
 */
export const expressionUses = oncePer(
  ({ configuration, expressions }: Compilation): readonly ExpressionUse[] => {
    if (configuration === undefined) return [];
    return expressionsOf(configuration).flatMap(({ path, text }) => {
      const placed = expressions.get(path);
      const role = roleOf(path);
      if (placed === undefined || role === undefined) return [];
      const authenticator = Number(/^jwt\[(\d+)\]/.exec(path)?.[1]);
      return [{ path, authenticator, role, located: text, compilation: placed.compilation }];
    });
  },
);

/** Returns the expressions of each authenticator. */
export const usesByAuthenticator = (
  compilation: Compilation,
): readonly (readonly ExpressionUse[])[] => {
  const lists: ExpressionUse[][] = (compilation.configuration?.jwt ?? []).map(() => []);
  for (const use of expressionUses(compilation)) lists[use.authenticator]?.push(use);
  return lists;
};

/** Calls a function with each entry, the expressions of the entry, and its index. */
export const forEachEntry = (
  compilation: Compilation,
  visit: (entry: JwtAuthenticatorConfig, uses: readonly ExpressionUse[], index: number) => void,
): void => {
  const uses = usesByAuthenticator(compilation);
  for (const [index, entry] of (compilation.configuration?.jwt ?? []).entries())
    visit(entry, uses[index] ?? [], index);
};

const roleOf = (path: string): ExpressionRole | undefined =>
  roles.find(([part]) => path.includes(part))?.[1];

const roles: readonly (readonly [string, ExpressionRole])[] = [
  ['.claimValidationRules[', 'claim rule'],
  ['.claimMappings.username.', 'username'],
  ['.claimMappings.groups.', 'groups'],
  ['.claimMappings.uid.', 'uid'],
  ['.claimMappings.extra[', 'extra'],
  ['.userValidationRules[', 'user rule'],
];

/** Returns the position in the file of a part of the expression. */
export const spanInFile = (use: ExpressionUse, decoded: Span): Span =>
  toFileSpan(use.located.map, decoded);

/** Returns the text of a part of the expression, as written (decoded). */
export const textOf = (use: ExpressionUse, decoded: Span): string =>
  use.located.value.slice(decoded.start, decoded.end);

/** Replaces a part of the expression, written in the style of its scalar. */
export const editExpression = (
  { document }: Compilation,
  { located }: ExpressionUse,
  part: Span,
  newText: string,
): readonly TextEdit[] => editScalar(document.source, located, [{ span: part, newText }]);

/**
 * Returns the whole expression with its outer parentheses, without white space around it;
 * `undefined` if there is a comment. The span of the tree excludes outer parentheses.
 */
export const wholeExpression = ({ located, compilation }: ExpressionUse): Span | undefined => {
  const { value } = located;
  const { span: tree } = compilation.checked.tree;
  const isAlone =
    /^[\s(]*$/.test(value.slice(0, tree.start)) && /^[\s)]*$/.test(value.slice(tree.end));
  if (!isAlone) return undefined;
  return span(value.length - value.trimStart().length, value.trimEnd().length);
};
