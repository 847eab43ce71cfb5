/**
 * The result of type checking, as plain data: the tree, the types of its nodes, and the overloads
 * of its calls.
 */
import type { Release } from '../../model/release.ts';
import type { CelNode, ParsedExpression } from '../tree/ast.ts';
import type { CelType } from '../values/types.ts';

export interface Reference {
  /** The resolved name: `claims`, `net.IP`; absent for calls. */
  readonly name?: string;
  /** The ids of the matching overloads in declaration order; absent for identifiers. */
  readonly overloads?: readonly string[];
}

export interface CheckedExpression {
  /** The Kubernetes release whose environment and behavior apply. */
  readonly release: Release;
  readonly parsed: ParsedExpression;
  readonly tree: CelNode;
  readonly type: CelType;
  readonly types: ReadonlyMap<number, CelType>;
  readonly references: ReadonlyMap<number, Reference>;
}
