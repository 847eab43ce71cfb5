/** What the exit status of a command means; the same for every command. */

export const exitCodes = {
  /** Done; the file is good, the request was accepted. */
  ok: 0,
  /** Done, and the answer is bad: errors in the file, a refused request, an unknown code. */
  problems: 1,
  /** Could not do it: wrong flags, unreadable file, no network. */
  failed: 2,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** For help texts. */
export const exitCodeHelp: readonly (readonly [ExitCode, string])[] = [
  [0, 'done, and the answer is good'],
  [1, 'done, and the answer is bad: errors in the file, a refused request'],
  [2, 'could not be done: wrong flags, unreadable file'],
];
