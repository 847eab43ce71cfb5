/** An environment as tables for people: what completion, hover and documentation list. */
import { newestRelease, oldestRelease, type Release } from '../model/release.ts';
import type { CallableOverload, CelEnvironment } from './environment.ts';
import { sinceOf } from './environment.ts';
import { macroSignatures } from './macros.ts';
import { typeText } from './type-text.ts';
import type { CelType } from './types.ts';

/** One way to call a function. */
export interface OverloadSignature {
  /** Type of the receiver; absent for `name(…)`. */
  readonly receiver: CelType | undefined;
  readonly params: readonly CelType[];
  readonly result: CelType;
  /** `string.split(string, int) -> list(string)` */
  readonly text: string;
}

/** A function as completion and hover show it. */
export interface FunctionDescription {
  readonly name: string;
  readonly doc: string;
  readonly examples: readonly string[];
  readonly since: Release;
  readonly signatures: readonly OverloadSignature[];
}

/** Functions that can be written by name, sorted; operators and internal functions are left out. */
export const describeFunctions = (environment: CelEnvironment): readonly FunctionDescription[] =>
  [...environment.functions.values()]
    .filter(({ name }) => /^[A-Za-z][\w.]*$/.test(name))
    .map((declared) => ({
      name: declared.name,
      doc: declared.doc,
      examples: declared.examples,
      since: sinceOf(declared.name) ?? oldestRelease,
      signatures: declared.overloads.map((overload) => describeOverload(declared.name, overload)),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/** The first release that knows a name of a function or macro; `undefined` for a name nobody knows. */
export const releaseOfName = (name: string): Release | undefined => {
  const asFunction = sinceOf(name);
  const asMacro = releases.find((release) =>
    macroSignatures(release, 'authentication').some((macro) => macro.name === name),
  );
  if (asFunction === undefined || asMacro === undefined) return asFunction ?? asMacro;
  return asFunction < asMacro ? asFunction : asMacro;
};

const releases: readonly Release[] = [30, 31, 32, 33, 34, 35, 36, newestRelease];

const describeOverload = (name: string, { declaration }: CallableOverload): OverloadSignature => {
  const params = declaration.member ? declaration.params.slice(1) : declaration.params;
  const receiver = declaration.member ? declaration.params[0] : undefined;
  const before = receiver === undefined ? '' : `${typeText(receiver)}.`;
  return {
    receiver,
    params,
    result: declaration.result,
    text: `${before}${name}(${params.map(typeText).join(', ')}) -> ${typeText(declaration.result)}`,
  };
};
