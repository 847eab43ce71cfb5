/**
 * The shape of a function library, which the checker, the planner, completion and hover use. Each
 * library is a file in this folder and an entry in `registry.ts`.
 */
import type { Release } from '../../model/release.ts';
import type { CelType } from '../values/types.ts';
import type { CelResult, CelValue } from '../values/value.ts';

/** One signature of a function and its implementation. */
export interface OverloadDeclaration {
  /**
   * cel-go's overload ID (`string_split_string_int`), which messages contain and costs depend on.
   */
  readonly id: string;
  /** Whether it is called on a receiver, which is then the first of `params`. */
  readonly member: boolean;
  readonly params: readonly CelType[];
  readonly result: CelType;
  /** Evaluates the call with arguments whose types fit `params`. Errors are values. */
  readonly evaluate: (args: readonly CelValue[]) => CelResult;
  /** Evaluates a call with one argument, without an array. */
  readonly evaluate1?: (a: CelValue) => CelResult;
  /** Evaluates a call with two arguments, without an array. */
  readonly evaluate2?: (a: CelValue, b: CelValue) => CelResult;
  /** The first release with this overload, if it is newer than its library. */
  readonly since?: Release;
  /**
   * The last release with this overload. A newer one lacks it, or has another overload with the
   * same ID.
   */
  readonly until?: Release;
}

/** Checks whether a release has the overload, apart from the release of its library. */
export const existsIn = (overload: OverloadDeclaration, release: Release): boolean =>
  release >= (overload.since ?? release) && release <= (overload.until ?? release);

/** A function: its name, documentation and overloads. */
export interface FunctionDeclaration {
  readonly name: string;
  /** One sentence for hover and documentation. */
  readonly doc: string;
  readonly examples?: readonly string[];
  readonly overloads: readonly OverloadDeclaration[];
  /**
   * The single implementation for all overloads, if kube-apiserver has one; it checks the types of
   * its arguments itself. Otherwise an argument that fits no overload gives `no such overload:
   * name(types)`.
   */
  readonly singleton?: (args: readonly CelValue[]) => CelResult;
}

/** A group of functions that a release added together. */
export interface CelLibrary {
  readonly name: string;
  /** The release that added the library, or the oldest supported one. */
  readonly since: Release;
  readonly doc: string;
  readonly functions: readonly FunctionDeclaration[];
  /** Types that the library declares as identifiers (`net.IP`). */
  readonly types?: readonly CelType[];
}
