/** A configuration whose access is examined. */
import type { AuthenticatorGraph, Origins } from '../../compile/graph.ts';

/**
 * A configuration to compare: its graph, and the positions of its fields if they are known.
 *
 * @example
 * ```ts
 * const side: AccessSide = { graph, origins: compilation.origins };
 * ```
 */
export interface AccessSide {
  readonly graph: AuthenticatorGraph;
  readonly origins?: Origins;
}
