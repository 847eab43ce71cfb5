/** What the authenticators beside `jwt`, the flags and the permissions write: one row a message. */
import type { ModuleId } from '../../model/module-id.ts';

export interface StagePattern {
  /** What happened, finer than a code: `certificate-expired`. */
  readonly name: string;
  /** Matches the whole message. Named groups fill `{…}` in the sentences. */
  readonly pattern: RegExp;
  readonly meaning: string;
  readonly fix: string;
  /** Who wrote it, where that is certain. */
  readonly module?: ModuleId;
  /** Flags that it speaks of, without dashes; a group `flag` of the pattern names one more. */
  readonly flags?: readonly string[];
  /** Our code for the same cause. */
  readonly refusal?: { readonly code: string; readonly name: string };
}
