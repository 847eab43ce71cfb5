/** Builds shell command lines, with each word quoted as needed. */
import { newestRelease, type Release, releaseName } from '../model/release.ts';

/** Quotes words for a POSIX shell; Windows file names are also valid in Windows shells. */
export const shellLine = (words: readonly string[]): string => words.map(shellWord).join(' ');

/** Returns no words for the release that a command uses by default. */
export const releaseWords = (release: Release): readonly string[] =>
  release === newestRelease ? [] : ['--target-version', releaseName(release)];

const shellWord = (word: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  // Windows file names contain no double quotes, and its shells have no other quotes in common.
  if (/^[A-Za-z]:\\[^$`"%!]*$/.test(word)) return /^[\w:\\.-]+$/.test(word) ? word : `"${word}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
};
