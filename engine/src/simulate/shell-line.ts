/** Lines for a shell, each word quoted as it needs. */
import { newestRelease, type Release, releaseName } from '../model/release.ts';

/** Words for a POSIX shell; names of Windows files also for its own. */
export const shellLine = (words: readonly string[]): string => words.map(shellWord).join(' ');

/** Nothing for the release that a command takes by itself. */
export const releaseWords = (release: Release): readonly string[] =>
  release === newestRelease ? [] : ['--target-version', releaseName(release)];

const shellWord = (word: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  // Its files have no double quotes in their names, its shells no other ones in common.
  if (/^[A-Za-z]:\\[^$`"%!]*$/.test(word)) return /^[\w:\\.-]+$/.test(word) ? word : `"${word}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
};
