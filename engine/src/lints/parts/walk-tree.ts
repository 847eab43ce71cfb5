/** Walks an expression tree. */
import type { CelNode } from '../../cel/tree/ast.ts';
import { childNodes } from '../../cel/tree/child-nodes.ts';

/** Calls back for every node, parents first. Needs no stack, so that any parsed tree can be walked. */
export const walk = (root: CelNode, visit: (node: CelNode) => void): void => {
  const waiting: CelNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    visit(node);
    waiting.push(...childNodes(node).toReversed());
  }
};

/** The nodes whose value the whole expression may be: through conditionals and `orValue`. */
export const resultNodes = (root: CelNode): readonly CelNode[] => {
  if (root.kind !== 'call') return [root];
  if (root.function === '_?_:_') return root.args.slice(1).flatMap(resultNodes);
  if (root.function === 'orValue' && root.target !== undefined) {
    return [root.target, ...root.args].flatMap(resultNodes);
  }
  return [root];
};

/** `claims` itself, not a member of it. */
export const isClaims = (node: CelNode | undefined): boolean =>
  node?.kind === 'ident' && (node.name === 'claims' || node.name === '.claims');

/** `claims` as a whole, also in `dyn()`. */
export const isWholeClaims = (node: CelNode | undefined): boolean =>
  isClaims(node) || (node?.kind === 'call' && node.function === 'dyn' && isClaims(node.args[0]));

/** The claim that a node reads: `claims.x`, `claims["x"]`, `claims.?x`, `claims[?"x"]`. */
export const claimRead = (node: CelNode): string | undefined => {
  if (node.kind === 'select') return isClaims(node.operand) ? node.field : undefined;
  if (node.kind !== 'call' || !['_[_]', '_?._', '_[?_]'].includes(node.function)) return undefined;
  const [operand, key] = node.args;
  if (!isClaims(operand) || key?.kind !== 'literal') return undefined;
  return key.constant.kind === 'string' ? key.constant.value : undefined;
};

/** A claim or a part of one, `claims.a.b[0]`: its numbers are doubles. Optional reads are not meant. */
export const isClaimData = (node: CelNode | undefined): boolean => {
  let at = node;
  while (at !== undefined) {
    if (at.kind === 'select' && !at.testOnly) at = at.operand;
    else if (at.kind === 'call' && at.function === '_[_]') at = at.args[0];
    else break;
    if (isClaims(at)) return true;
  }
  return false;
};

/** `timestamp()` of a text claim is right; these are numbers by their definition (RFC 7519, OpenID Connect). */
export const isNumericDate = (node: CelNode | undefined): boolean =>
  node !== undefined &&
  ['exp', 'iat', 'nbf', 'auth_time', 'updated_at'].includes(claimRead(node) ?? '');
