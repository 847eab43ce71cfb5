/**
 * A pattern of a message that authenticators other than `jwt`, flags or permission checks write.
 */
import type { ModuleId } from '../../model/module-id.ts';
import type { MessagePattern } from './message-patterns.ts';

export interface StagePattern extends Omit<MessagePattern, 'subject' | 'form'> {
  /** The module that wrote the message, if that is certain. */
  readonly module?: ModuleId;
  /**
   * Flags that the message is about, without dashes; a group `flag` of the pattern adds one more.
   */
  readonly flags?: readonly string[];
  /** Our code for the same cause. */
  readonly refusal?: { readonly code: string; readonly name: string };
}
