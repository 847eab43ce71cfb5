/** Types for command-line flags: the rows of a flag table, and the values that were parsed. */

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
  /** A second name, which messages do not use. */
  readonly alias?: string;
  /** Heading under which `--help` lists the flag. */
  readonly group: string;
  readonly type: FlagType;
  /** One letter: `-o` for `--output`. */
  readonly shorthand?: string;
  /** Values that a string flag accepts, or each item of a stringSlice. */
  readonly choices?: readonly string[];
  /** Values that shell completion offers, if others are accepted too. */
  readonly suggestions?: readonly string[];
  /** Placeholder for the value in `--help`: `FILE`. */
  readonly placeholder?: string;
  /** Default value as `--help` prints it; `[]` is the empty list. */
  readonly default: string;
  readonly doc: string;
}

export interface FlagProblem {
  readonly message: string;
  /** How to fix it; empty if the message is sufficient. */
  readonly help: string;
}

/** Values by flag name. Reading a flag that is not in the table is a programming error. */
export interface FlagValues {
  /** Returns whether the flag was on the command line, even with its default value. */
  isSet(name: string): boolean;
  string(name: string): string;
  bool(name: string): boolean;
  /** Returns the value of an int or a float64, or the milliseconds of a duration. */
  number(name: string): number;
  list(name: string): readonly string[];
  map(name: string): ReadonlyMap<string, string>;
}
