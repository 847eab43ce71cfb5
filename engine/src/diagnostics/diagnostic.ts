/** What the compiler says about a text: data, never an exception. */
import type { Span } from '../source/span.ts';
import type { TextEdit } from '../source/text-edit.ts';

/** The worst first; an `error` leaves no graph. */
export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** `server`: the real API server refuses it too; `lint`: our advice; `limit`: a bound of ours. */
export type DiagnosticSource = 'server' | 'lint' | 'limit';

/** Another place of the same text that the diagnostic speaks of. */
export interface RelatedSpan {
  readonly span: Span;
  readonly message: string;
}

/** A mend: applying it removes the diagnostic and changes nothing else. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /**
   * One of several ways, or what was probably meant: a person chooses it. Absent where the mend is
   * certain, and may be made without asking.
   */
  readonly choice?: true;
  /**
   * It settles who gets in or under which name, where the text leaves that open or a server that has the
   * file today answers otherwise: a person makes it, never a save that mends everything.
   */
  readonly changesAccess?: true;
}

/** A mend among others. */
export const asChoice = (fix: Fix): Fix => ({ ...fix, choice: true });

/** A mend that a person has to see. */
export const asAccessChanging = (fix: Fix): Fix => ({ ...fix, changesAccess: true });

/** The real server's own error for the same cause, as its validation reports it. */
export interface ServerError {
  readonly type:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueDuplicate'
    | 'FieldValueForbidden'
    | 'FieldValueTooMany'
    | 'FieldValueNotSupported'
    | 'InternalError';
  /** The field's path, `jwt[0].issuer.url`. */
  readonly field: string;
  /** The value as the server prints it: text, boolean, number, or Go's `%v` text of anything else. */
  readonly badValue: string | number | boolean | null;
  readonly detail: string;
  /** The whole line, `field: Invalid value: …: detail`. */
  readonly message: string;
}

/** Something that is to be said about a text, with its place and, where it is certain, its mend. */
export interface Diagnostic {
  /** `AG1012`: 1xxx configuration, 2xxx CEL, 3xxx settings, 4xxx lints, 5xxx runtime. */
  readonly code: string;
  /** `duplicate-issuer-url`: also the name of its page and of its rule's file. */
  readonly name: string;
  readonly severity: Severity;
  readonly source: DiagnosticSource;
  /** One sentence; for a server rule the real server's text. */
  readonly message: string;
  /** How to mend it, one sentence; empty where the message says it all. */
  readonly help: string;
  readonly span: Span;
  readonly related: readonly RelatedSpan[];
  readonly fixes: readonly Fix[];
  /** Present exactly for validation errors of the real server. */
  readonly server?: ServerError;
}
