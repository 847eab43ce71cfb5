/** A command line flag as a row of a table, and the values of a table of flags. */

export type FlagType =
  | 'bool'
  | 'string'
  | 'int'
  | 'float64'
  | 'ip'
  | 'duration'
  | 'stringSlice'
  /** Repeatable; a comma is part of the value. */
  | 'stringArray'
  | 'mapStringString'
  | 'colonSeparatedMultimapStringString';

export interface FlagRow {
  readonly name: string;
  /** Heading under which help shows it. */
  readonly group: string;
  readonly type: FlagType;
  /** One letter: `-o` for `--output`. */
  readonly shorthand?: string;
  /** The values that a string may have. */
  readonly choices?: readonly string[];
  /** What help calls the value: `FILE`. */
  readonly placeholder?: string;
  /** As help prints it; `[]` is the empty list. */
  readonly default: string;
  readonly doc: string;
}

export interface FlagProblem {
  readonly message: string;
  /** How to mend it; empty where the message says it all. */
  readonly help: string;
}

/** Values by flag name; asking for a name that the table lacks is a programming error. */
export interface FlagValues {
  /** Was the flag on the command line, even with its default value? */
  isSet(name: string): boolean;
  string(name: string): string;
  bool(name: string): boolean;
  /** Of an int or a float64; milliseconds of a duration. */
  number(name: string): number;
  list(name: string): readonly string[];
  map(name: string): ReadonlyMap<string, string>;
}
