/**
 * The shape of a function library: what the checker, the planner, completion and hover read. One
 * library is one file beside this one, and a line in `registry.ts`.
 */
import type { Release } from '../../model/release.ts';
import type { CelType } from '../values/types.ts';
import type { CelResult, CelValue } from '../values/value.ts';

/** One signature of a function, and its body. */
export interface OverloadDeclaration {
  /** The reference implementation's overload id (`string_split_string_int`): it stands in messages and decides costs. */
  readonly id: string;
  /** Called on a receiver, which is then the first of `params`. */
  readonly member: boolean;
  readonly params: readonly CelType[];
  readonly result: CelType;
  /** Runs with arguments whose types fit `params`. Errors are values. */
  readonly evaluate: (args: readonly CelValue[]) => CelResult;
  /** The same for one argument, without an array. */
  readonly evaluate1?: (a: CelValue) => CelResult;
  /** The same for two arguments, without an array. */
  readonly evaluate2?: (a: CelValue, b: CelValue) => CelResult;
  /** The first release that has this overload, where it is younger than its library. */
  readonly since?: Release;
  /** The last release that has it; a newer one has no such overload, or another with the same id. */
  readonly until?: Release;
}

/** Whether a release has the overload, as far as the overload itself decides. */
export const existsIn = (overload: OverloadDeclaration, release: Release): boolean =>
  release >= (overload.since ?? release) && release <= (overload.until ?? release);

/** A function: its name, its sentence, its overloads. */
export interface FunctionDeclaration {
  readonly name: string;
  /** One sentence for hover and documentation. */
  readonly doc: string;
  readonly examples?: readonly string[];
  readonly overloads: readonly OverloadDeclaration[];
  /**
   * Set where the real server has one body for all overloads, which looks at the values itself. Else
   * an argument that does not fit gives `no such overload: name(types)`.
   */
  readonly singleton?: (args: readonly CelValue[]) => CelResult;
}

/** Functions that came together. */
export interface CelLibrary {
  readonly name: string;
  /** The release that brought it; everything older counts as the oldest we know. */
  readonly since: Release;
  readonly doc: string;
  readonly functions: readonly FunctionDeclaration[];
  /** Types that it declares as identifiers (`net.IP`). */
  readonly types?: readonly CelType[];
}
