/** What lints look for in an expression tree. */
import type { CelNode } from '../../cel/tree/ast.ts';
import { nodesOf } from '../../cel/tree/child-nodes.ts';

/**
 * Returns the nodes that can be the value of the expression, through conditionals and `orValue`.
 */
export const resultNodes = (root: CelNode): readonly CelNode[] => {
  if (root.kind !== 'call') return [root];
  if (root.function === '_?_:_') return root.args.slice(1).flatMap(resultNodes);
  if (root.function === 'orValue' && root.target !== undefined) {
    return [root.target, ...root.args].flatMap(resultNodes);
  }
  return [root];
};

/** Returns the value of a string literal; `undefined` for other nodes. */
export const stringLiteral = (node: CelNode | undefined): string | undefined =>
  node?.kind === 'literal' && node.constant.kind === 'string' ? node.constant.value : undefined;

/** Returns the constant text with which the value of a node begins; empty if it is unknown. */
export const constantStart = (node: CelNode): string => {
  if (node.kind === 'literal') return stringLiteral(node) ?? '';
  const [left] = node.kind === 'call' && node.function === '_+_' ? node.args : [];
  return left === undefined ? '' : constantStart(left);
};

/** Reports whether one text begins with the other, in either order. */
export const agree = (one: string, other: string): boolean =>
  one.startsWith(other) || other.startsWith(one);

/** Reports whether the node is `claims` itself, not a member of it. */
export const isClaims = (node: CelNode | undefined): boolean =>
  node?.kind === 'ident' && (node.name === 'claims' || node.name === '.claims');

/** Reports whether the node is `claims` as a whole, also in `dyn()`. */
export const isWholeClaims = (node: CelNode | undefined): boolean =>
  isClaims(node) || (node?.kind === 'call' && node.function === 'dyn' && isClaims(node.args[0]));

/** Returns the claim that a node reads: `claims.x`, `claims["x"]`, `claims.?x`, `claims[?"x"]`. */
export const claimRead = (node: CelNode): string | undefined => {
  if (node.kind === 'select') return isClaims(node.operand) ? node.field : undefined;
  if (node.kind !== 'call' || !['_[_]', '_?._', '_[?_]'].includes(node.function)) return undefined;
  const [operand, key] = node.args;
  return isClaims(operand) ? stringLiteral(key) : undefined;
};

/** Reports whether any node of the expression reads the claim. */
export const readsClaim = (root: CelNode, claim: string): boolean =>
  nodesOf(root).some((node) => claimRead(node) === claim);

/**
 * Reports whether the node is a claim or a part of one (`claims.a.b[0]`), whose numbers are
 * doubles. Optional reads are excluded.
 */
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

/**
 * Reports whether the claim is defined as a number of seconds (RFC 7519, OpenID Connect); only a
 * string claim can be passed to `timestamp()`.
 */
export const isNumericDate = (node: CelNode | undefined): boolean =>
  node !== undefined &&
  ['exp', 'iat', 'nbf', 'auth_time', 'updated_at'].includes(claimRead(node) ?? '');

/** Reports whether any of the nodes is a text that begins with `system:`. */
export const namesSystemPrefix = (nodes: readonly CelNode[]): boolean =>
  nodes.some((node) => stringLiteral(node)?.startsWith('system:') === true);
