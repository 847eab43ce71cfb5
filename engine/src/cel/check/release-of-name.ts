/** Finds the release that introduced a function or macro. */
import { newestRelease, type Release } from '../../model/release.ts';
import { macrosIn } from '../syntax/macros.ts';
import { firstReleaseOfFunction } from './environment.ts';

/**
 * Returns the first release with a function or macro of a name; `undefined` for an unknown name.
 */
export const firstReleaseOfName = (name: string): Release | undefined => {
  const asFunction = firstReleaseOfFunction(name);
  const asMacro = releases.find((release) =>
    macrosIn(release).some((macro) => macro.name === name),
  );
  if (asFunction === undefined || asMacro === undefined) return asFunction ?? asMacro;
  return asFunction < asMacro ? asFunction : asMacro;
};

const releases: readonly Release[] = [30, 31, 32, 33, 34, 35, 36, newestRelease];
