/**
 * Rejections as values: the code comes first, and the message is made for it. No code is ever found
 * by reading a message.
 */
import type { Rejection } from './decision.ts';

/** The documentation of a code for rejections. */
export interface RejectionDescription {
  readonly code: string;
  /** The name of the documentation page. */
  readonly name: string;
  /** One sentence for lists. */
  readonly meaning: string;
}

/** A reason for rejecting a credential. Reasons with the same code share a description. */
export interface RejectionKind<Args extends readonly unknown[]> extends RejectionDescription {
  /** Returns the message, in the words of kube-apiserver's log if it has the same rejection. */
  readonly text: (...args: Args) => string;
}

/** Returns the kind unchanged; it infers the arguments of its text. */
export const defineRejection = <Args extends readonly unknown[]>(
  kind: RejectionKind<Args>,
): RejectionKind<Args> => kind;

/** Creates a rejection of that kind. */
export const rejectionOf = <Args extends readonly unknown[]>(
  { code, text }: RejectionKind<Args>,
  ...args: Args
): Rejection => ({ code, message: text(...args) });
