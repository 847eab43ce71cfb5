/** Reads the type name of a struct literal. */
import type { CstElement, CstNode } from 'chevrotain';
import { nodeAt, tokenAt } from './concrete-tree.ts';

/**
 * Returns the qualified name before the first brace (`a.b{`); `undefined` if the brace follows
 * another expression.
 */
export const readStructName = (
  primary: CstNode | undefined,
  selectors: readonly CstElement[],
):
  | {
      readonly name: string;
      readonly start: number;
      readonly body: CstNode;
      readonly nextSelector: number;
    }
  | undefined => {
  const braceIndex = selectors.findIndex(
    (element) => 'children' in element && element.children.LeftBrace !== undefined,
  );
  const body = braceIndex < 0 ? undefined : nodeAt(selectors, braceIndex);
  const first = tokenAt(primary?.children.Identifier, 0);
  if (body === undefined || first === undefined) return undefined;
  if (primary?.children.LeftParen !== undefined) return undefined;
  const dot = tokenAt(primary?.children.Dot, 0);
  let name = dot === undefined ? first.image : `.${first.image}`;
  for (let index = 0; index < braceIndex; index++) {
    const children = nodeAt(selectors, index)?.children;
    const field = tokenAt(children?.field, 0);
    const plain = children?.Question === undefined && children?.LeftParen === undefined;
    if (field === undefined || !plain || field.image.startsWith('`')) return undefined;
    name += `.${field.image}`;
  }
  return { name, start: (dot ?? first).startOffset, body, nextSelector: braceIndex + 1 };
};
