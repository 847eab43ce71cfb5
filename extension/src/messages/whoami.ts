/**
 * Messages between the whoami page and the extension. Locations stay in the extension; the page
 * gets line numbers.
 */
import type { StepRow, UserRow, WhoamiRow } from '@authgraph/language-server/protocol';
import { indexAt, memberAt, stringAt, stringsAt } from '../member-at.ts';

export interface WhoamiState {
  readonly kind: 'state';
  /** Counts the states; an action names the state that it refers to. */
  readonly number: number;
  readonly file: string | undefined;
  readonly problem: string | undefined;
  /** The configurations that kube-apiserver does not load. */
  readonly loadFailures: readonly ShownLoadFailure[];
  readonly samples: readonly {
    readonly id: string;
    readonly name: string;
    readonly isCurrent: boolean;
    readonly isShown: boolean;
  }[];
  readonly rows: readonly ShownRow[];
  readonly as: AsFields;
}

/** Moves the keyboard focus to the page unless it is already there. */
export interface TakeFocus {
  readonly kind: 'focus';
}

export const isTakeFocus = (message: unknown): message is TakeFocus =>
  stringAt(message, 'kind') === 'focus';

export interface ShownLoadFailure {
  readonly text: string;
  readonly asIf: string;
  readonly errors: readonly { readonly message: string; readonly line: number }[];
}

export interface ShownRow {
  readonly sample: string;
  /** The configuration's name; `undefined` if the file has only one. */
  readonly configuration: string | undefined;
  readonly isCurrent: boolean;
  readonly verdict: WhoamiRow['verdict'];
  readonly headline: string;
  /** Why the verdict on the claims does not count. */
  readonly warning: string | undefined;
  /** Why a token with the claims would be rejected. */
  readonly caution: string | undefined;
  /** What the row assumes, if kube-apiserver does not load the configuration. */
  readonly asIf: string | undefined;
  /** Why the sample is rejected or undecided. */
  readonly reason: string | undefined;
  /** The last answer before an edit left the sample undecided; its lines may have moved. */
  readonly stale: { readonly title: string; readonly row: ShownRow } | undefined;
  readonly user: UserRow | undefined;
  /** One-based lines by `username`, `uid`, `groups`, `extra.<key>`. */
  readonly sources: readonly { readonly part: string; readonly line: number }[];
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly line: number | undefined;
  readonly steps: readonly ShownStep[];
  readonly whyNot: readonly string[];
  /** A sentence about the most similar accepted sample. */
  readonly closest: string | undefined;
  /** Whether the saved file accepts the sample. */
  readonly acceptedWhenSaved: boolean;
  readonly acting: WhoamiRow['acting'];
  /** Index of the step at the cursor. */
  readonly stepAtCursor: number | undefined;
}

export const outcomeSigns = {
  passed: '✓',
  failed: '✗',
  skipped: '–',
  value: '=',
  note: '·',
} as const satisfies Record<StepRow['outcome'], string>;

/** What screen readers read in place of a sign; values and notes need no word. */
const outcomeWords = {
  passed: ', passed',
  failed: ', failed',
  skipped: ', skipped',
  value: '',
  note: '',
} as const satisfies Record<StepRow['outcome'], string>;

/** The parts of the line of a step. */
export interface StepText {
  readonly what: string;
  readonly detail: string;
  readonly line: string;
  /** The outcome, which only screen readers read. */
  readonly outcome: string;
}

/** Returns the parts of the line of a step; empty strings for those that it does not have. */
export const stepText = ({ what, detail, line, outcome }: ShownStep): StepText => ({
  what,
  detail: detail === undefined ? '' : `: ${detail}`,
  line: line === undefined ? '' : ` L${line}`,
  outcome: outcomeWords[outcome],
});

export interface ShownStep extends Omit<StepRow, 'place'> {
  readonly line: number | undefined;
}

export interface AsFields {
  readonly username: string;
  readonly uid: string;
  /** Comma-separated. */
  readonly groups: string;
  /** Comma-separated `key=value` pairs. */
  readonly extra: string;
}

export const emptyAsFields: AsFields = { username: '', uid: '', groups: '', extra: '' };

export type WhoamiAction =
  | { readonly kind: 'ready' }
  | { readonly kind: 'select' | 'paste' | 'newSample' | 'newConfiguration' }
  /** IDs of the samples in addition to the current one. */
  | { readonly kind: 'show'; readonly samples: readonly string[] }
  | { readonly kind: 'as'; readonly as: AsFields }
  | ({ readonly kind: 'goToStep' | 'goToSource' | 'apply'; readonly index: number } & RowReference)
  | ({ readonly kind: 'goToRefusal' | 'copy' | 'yaml' | 'revert' } & RowReference)
  /** Index of the error among those of all load failures. */
  | { readonly kind: 'goToError'; readonly number: number; readonly index: number };

export interface RowReference {
  readonly number: number;
  readonly row: number;
}

export const readWhoamiAction = (message: unknown): WhoamiAction | undefined => {
  const kind = stringAt(message, 'kind');
  switch (kind) {
    case 'ready':
    case 'select':
    case 'paste':
    case 'newSample':
    case 'newConfiguration':
      return { kind };
    case 'show': {
      const samples = stringsAt(message, 'samples');
      return samples && { kind, samples };
    }
    case 'as': {
      const as = readAsFields(memberAt(message, 'as'));
      return as && { kind, as };
    }
    case 'goToStep':
    case 'goToSource':
    case 'apply': {
      const row = readRowReference(message);
      const index = indexAt(message, 'index');
      return row === undefined || index === undefined ? undefined : { kind, index, ...row };
    }
    case 'goToError': {
      const number = indexAt(message, 'number');
      const index = indexAt(message, 'index');
      return number === undefined || index === undefined ? undefined : { kind, number, index };
    }
    case 'goToRefusal':
    case 'copy':
    case 'yaml':
    case 'revert': {
      const of = readRowReference(message);
      return of && { kind, ...of };
    }
    default:
      return undefined;
  }
};

/**
 * Checks a message on the page's side. Only the extension can send messages, so this checks the
 * shape alone.
 */
export const isWhoamiState = (message: unknown): message is WhoamiState =>
  stringAt(message, 'kind') === 'state' &&
  indexAt(message, 'number') !== undefined &&
  Array.isArray(memberAt(message, 'rows')) &&
  Array.isArray(memberAt(message, 'loadFailures')) &&
  Array.isArray(memberAt(message, 'samples')) &&
  readAsFields(memberAt(message, 'as')) !== undefined;

const readRowReference = (message: unknown): RowReference | undefined => {
  const number = indexAt(message, 'number');
  const row = indexAt(message, 'row');
  return number === undefined || row === undefined ? undefined : { number, row };
};

const readAsFields = (value: unknown): AsFields | undefined => {
  const [username, uid, groups, extra] = ['username', 'uid', 'groups', 'extra'].map((name) =>
    stringAt(value, name),
  );
  return username === undefined || uid === undefined || groups === undefined || extra === undefined
    ? undefined
    : { username, uid, groups, extra };
};
