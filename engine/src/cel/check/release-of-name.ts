/** Finds the release that introduced a function or macro. */
import { type Release, releases } from '../../model/release.ts';
import { macrosIn } from '../syntax/macros.ts';
import { environmentFor } from './environment.ts';

/**
 * Returns the first release with a function or macro of a name; `undefined` for an unknown name.
 */
export const firstReleaseOfName = (name: string): Release | undefined =>
  releases.find((release) => {
    const { functions, macros } = environmentFor('claims', release);
    return functions.has(name) || macrosIn(release, macros).some((macro) => macro.name === name);
  });
