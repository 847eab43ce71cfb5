/** What the whoami page and the extension say to each other. Places stay here; the page has line numbers. */
import type { StepRow, UserRow, WhoamiRow } from '@authgraph/language-server/protocol';
import { indexAt, memberAt, textAt, textsAt } from '../member-at.ts';

export interface WhoamiState {
  readonly kind: 'state';
  /** Counts the states; a request names the one that it answers. */
  readonly number: number;
  readonly file: string | undefined;
  readonly problem: string | undefined;
  readonly samples: readonly {
    readonly id: string;
    readonly name: string;
    readonly isChosen: boolean;
    readonly isShown: boolean;
  }[];
  readonly rows: readonly ShownRow[];
  readonly as: AsFields;
}

/** Brings the keyboard to the page, where it is not there yet. */
export interface TakeFocus {
  readonly kind: 'focus';
}

export const isTakeFocus = (message: unknown): message is TakeFocus =>
  textAt(message, 'kind') === 'focus';

export interface ShownRow {
  readonly sample: string;
  /** Of which configuration, where the file has several. */
  readonly configuration: string | undefined;
  readonly isChosen: boolean;
  readonly verdict: WhoamiRow['verdict'];
  readonly headline: string;
  /** What makes the verdict on the claims worth nothing. */
  readonly warning: string | undefined;
  readonly user: UserRow | undefined;
  /** Lines, from 1, by `username`, `uid`, `groups`, `extra.<key>`. */
  readonly sources: readonly { readonly part: string; readonly line: number }[];
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly line: number | undefined;
  readonly steps: readonly ShownStep[];
  readonly whyNot: readonly string[];
  readonly acting: WhoamiRow['acting'];
  /** Index of the step that the cursor is at. */
  readonly stepAtCursor: number | undefined;
}

export const outcomeSigns = {
  passed: '✓',
  failed: '✗',
  skipped: '–',
  value: '=',
  note: '·',
} as const satisfies Record<StepRow['outcome'], string>;

export interface ShownStep extends Omit<StepRow, 'place'> {
  readonly line: number | undefined;
}

export interface AsFields {
  readonly username: string;
  readonly uid: string;
  /** With commas between them. */
  readonly groups: string;
  /** `key=value`, with commas between them. */
  readonly extra: string;
}

export const noOneElse: AsFields = { username: '', uid: '', groups: '', extra: '' };

export type WhoamiAct =
  | { readonly kind: 'ready' }
  | { readonly kind: 'select' | 'paste' | 'newSample' | 'newConfiguration' | 'graph' }
  /** Ids; none for the current one. */
  | { readonly kind: 'show'; readonly samples: readonly string[] }
  | { readonly kind: 'as'; readonly as: AsFields }
  | ({ readonly kind: 'goToStep' | 'goToSource' | 'apply'; readonly index: number } & OfRow)
  | ({ readonly kind: 'goToRefusal' | 'copy' | 'yaml' } & OfRow);

export interface OfRow {
  readonly number: number;
  readonly row: number;
}

export const readWhoamiAct = (message: unknown): WhoamiAct | undefined => {
  const kind = textAt(message, 'kind');
  switch (kind) {
    case 'ready':
    case 'select':
    case 'paste':
    case 'newSample':
    case 'newConfiguration':
    case 'graph':
      return { kind };
    case 'show': {
      const samples = textsAt(message, 'samples');
      return samples && { kind, samples };
    }
    case 'as': {
      const as = readAsFields(memberAt(message, 'as'));
      return as && { kind, as };
    }
    case 'goToStep':
    case 'goToSource':
    case 'apply': {
      const of = readOfRow(message);
      const index = indexAt(message, 'index');
      return of === undefined || index === undefined ? undefined : { kind, index, ...of };
    }
    case 'goToRefusal':
    case 'copy':
    case 'yaml': {
      const of = readOfRow(message);
      return of && { kind, ...of };
    }
    default:
      return undefined;
  }
};

/** The page's side: only our own extension can send, so its shape is all that is looked at. */
export const isWhoamiState = (message: unknown): message is WhoamiState =>
  textAt(message, 'kind') === 'state' &&
  indexAt(message, 'number') !== undefined &&
  Array.isArray(memberAt(message, 'rows')) &&
  Array.isArray(memberAt(message, 'samples')) &&
  readAsFields(memberAt(message, 'as')) !== undefined;

const readOfRow = (message: unknown): OfRow | undefined => {
  const number = indexAt(message, 'number');
  const row = indexAt(message, 'row');
  return number === undefined || row === undefined ? undefined : { number, row };
};

const readAsFields = (value: unknown): AsFields | undefined => {
  const [username, uid, groups, extra] = ['username', 'uid', 'groups', 'extra'].map((name) =>
    textAt(value, name),
  );
  return username === undefined || uid === undefined || groups === undefined || extra === undefined
    ? undefined
    : { username, uid, groups, extra };
};
