/** The exit codes, which are the same for every command. */

export const exitCodes = {
  /** Success: the file is valid, the request was accepted. */
  ok: 0,
  /** Completed with a negative result: errors in the file, a rejected request, an unknown code. */
  problems: 1,
  /** The command could not be completed: wrong flags, an unreadable file, no network. */
  failed: 2,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit codes in help texts. */
export const exitCodeHelp: readonly (readonly [ExitCode, string])[] = [
  [0, 'success'],
  [1, 'completed with a negative result: problems, a rejected request, a change of access'],
  [2, 'not completed: wrong flags, a file that cannot be read or used'],
];
