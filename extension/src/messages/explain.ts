/** Messages between the page that explains a token and the extension. */
import type { Verdict } from '@authgraph/language-server/protocol';
import { indexAt, memberAt, stringAt } from '../member-at.ts';

export interface ExplainState {
  readonly kind: 'state';
  readonly number: number;
  /** The token in words: its name, its expiry and the finding about its signature. */
  readonly token: string;
  readonly summary: string;
  readonly problem: string | undefined;
  readonly skipped: string | undefined;
  /** A sentence about the most similar issuer or audience. */
  readonly nearest: ShownText | undefined;
  readonly rows: readonly ShownExplanation[];
}

/** A text with the line that it is about. */
export interface ShownText {
  readonly text: string;
  readonly link: PlaceLink | undefined;
}

export interface PlaceLink {
  /** The one-based line. */
  readonly line: number;
  /** Index of the place, for the action. */
  readonly place: number;
}

export interface ShownExplanation {
  /** The file, and the configuration if the file has several. */
  readonly name: string;
  readonly verdict: Verdict;
  readonly loadFailure:
    | { readonly text: string; readonly asIf: string; readonly errors: readonly ShownText[] }
    | undefined;
  readonly authenticator: ShownText | undefined;
  readonly check: string | undefined;
  readonly reason: ShownText | undefined;
  readonly code: string | undefined;
  readonly logLine: string | undefined;
  /** Changes to the claims that would be accepted. */
  readonly whyNot: readonly string[];
  /** The user in one line. */
  readonly user: string | undefined;
}

export type ExplainAction =
  | { readonly kind: 'ready' | 'again' | 'another' }
  | { readonly kind: 'goTo' | 'copy' | 'page'; readonly number: number; readonly index: number };

export const readExplainAction = (message: unknown): ExplainAction | undefined => {
  const kind = stringAt(message, 'kind');
  switch (kind) {
    case 'ready':
    case 'again':
    case 'another':
      return { kind };
    case 'goTo':
    case 'copy':
    case 'page': {
      const number = indexAt(message, 'number');
      const index = indexAt(message, 'index');
      return number === undefined || index === undefined ? undefined : { kind, number, index };
    }
    default:
      return undefined;
  }
};

export const isExplainState = (message: unknown): message is ExplainState =>
  stringAt(message, 'kind') === 'state' &&
  indexAt(message, 'number') !== undefined &&
  Array.isArray(memberAt(message, 'rows'));
