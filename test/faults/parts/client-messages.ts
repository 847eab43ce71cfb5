/** What a test and the process of its clients say to each other. */
import type { Question, Tally } from './questions.ts';

export interface Load {
  readonly port: number;
  readonly host?: string;
  /** In rounds, one after the other. */
  readonly questions: readonly Question[];
  /** Connections. */
  readonly lanes: number;
  readonly perSecond: number;
  readonly history?: boolean;
  /** PEM of a client certificate for all of them. */
  readonly cert?: string;
  readonly key?: string;
}

export type ToClient =
  | { readonly kind: 'load'; readonly load: Load }
  /** Asks these instead from now on. */
  | { readonly kind: 'questions'; readonly questions: readonly Question[] }
  /** Tells what was seen, and forgets it. */
  | { readonly kind: 'tally' }
  | { readonly kind: 'stop' };

export type FromClient =
  /** The first question is on its way. */
  { readonly kind: 'asking' } | { readonly kind: 'tally'; readonly tally: Tally };
