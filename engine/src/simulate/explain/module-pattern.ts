/**
 * A pattern of a message that authenticators other than `jwt`, flags or permission checks write.
 */
import type { ModuleId } from '../../model/module-id.ts';

export interface StagePattern {
  /** What happened, in more detail than a code: `certificate-expired`. */
  readonly name: string;
  /** Matches the whole message. Its named groups fill the `{…}` of the sentences. */
  readonly pattern: RegExp;
  readonly meaning: string;
  readonly fix: string;
  /** The module that wrote the message, if that is certain. */
  readonly module?: ModuleId;
  /**
   * Flags that the message is about, without dashes; a group `flag` of the pattern adds one more.
   */
  readonly flags?: readonly string[];
  /** Our code for the same cause. */
  readonly refusal?: { readonly code: string; readonly name: string };
}
