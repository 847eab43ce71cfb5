/** What checking gives: the tree, a type for every node, the functions that may run. Plain data. */
import type { Release } from '../../model/release.ts';
import type { CelNode, ParsedExpression } from '../tree/ast.ts';
import type { CelType } from '../values/types.ts';

export interface Reference {
  /** The name as resolved: `claims`, `net.IP`; absent for calls. */
  readonly name?: string;
  /** Overload ids that fit, in declaration order; absent for identifiers. */
  readonly overloads?: readonly string[];
}

export interface CheckedExpression {
  /** The release whose environment it was checked in, and whose behavior its program has. */
  readonly release: Release;
  readonly parsed: ParsedExpression;
  readonly tree: CelNode;
  readonly type: CelType;
  readonly types: ReadonlyMap<number, CelType>;
  readonly references: ReadonlyMap<number, Reference>;
}
