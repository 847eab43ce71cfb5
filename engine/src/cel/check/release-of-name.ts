/** Which release brought a name of a function or macro. */
import { newestRelease, type Release } from '../../model/release.ts';
import { macroSignatures } from '../syntax/macros.ts';
import { firstReleaseOfFunction } from './environment.ts';

/** The first release that knows the name; `undefined` for a name nobody knows. */
export const firstReleaseOfName = (name: string): Release | undefined => {
  const asFunction = firstReleaseOfFunction(name);
  const asMacro = releases.find((release) =>
    macroSignatures(release, 'authentication').some((macro) => macro.name === name),
  );
  if (asFunction === undefined || asMacro === undefined) return asFunction ?? asMacro;
  return asFunction < asMacro ? asFunction : asMacro;
};

const releases: readonly Release[] = [30, 31, 32, 33, 34, 35, 36, newestRelease];
