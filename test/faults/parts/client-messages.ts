/** Messages between a test and the process of its clients. */
import type { Question, Tally } from './questions.ts';

export interface Load {
  readonly port: number;
  readonly host?: string;
  /** Sent in rounds, one after another. */
  readonly questions: readonly Question[];
  /** The number of connections. */
  readonly lanes: number;
  readonly perSecond: number;
  readonly history?: boolean;
  /** The client certificate of all of them. */
  readonly certificate?: { readonly pem: string; readonly keyPem: string };
}

export type ToClient =
  | { readonly kind: 'load'; readonly load: Load }
  /** Replaces the questions. */
  | { readonly kind: 'questions'; readonly questions: readonly Question[] }
  /** Returns the tally and resets it. */
  | { readonly kind: 'tally' }
  | { readonly kind: 'stop' };

export type FromClient =
  /** The first request was sent. */
  { readonly kind: 'asking' } | { readonly kind: 'tally'; readonly tally: Tally };
