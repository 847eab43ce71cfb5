/** Results of the compiler about a text: data, never exceptions. */
import type { Span } from '../source/span.ts';
import type { TextEdit } from '../source/text-edit.ts';
import type { Evidence, EvidenceQuestion } from './evidence.ts';

/**
 * Severities, the worst first; a configuration with an `error` has no graph.
 *
 * @example
 * ```ts
 * const worst: Severity = 'error';
 * ```
 */
export type Severity = 'error' | 'warning' | 'information' | 'hint';

/**
 * `server`: kube-apiserver rejects it, too; `lint`: advice; `limit`: a limit of AuthGraph;
 * `settings`: a mistake in a settings file.
 */
export type DiagnosticSource = 'server' | 'lint' | 'limit' | 'settings' | 'tests';

/**
 * Another place in the same file that the diagnostic refers to.
 *
 * @example
 * ```ts
 * const line = (source: SourceFile, { span }: RelatedSpan) => source.positionAt(span.start).line;
 * ```
 */
export interface RelatedSpan {
  readonly span: Span;
  readonly message: string;
}

/**
 * A fix: applying it removes the diagnostic and changes nothing else.
 *
 * @example
 * ```ts
 * const apply = (text: string, { edits }: Fix) => applyEdits(text, edits);
 * ```
 */
export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /**
   * True if there are several fixes, or if the fix is a guess: a person has to choose it. Absent if
   * the fix is certain and can be applied automatically.
   */
  readonly choice?: true;
  /**
   * True if the fix changes who is admitted, or under which name: it is applied by a person, never
   * by Fix All.
   */
  readonly changesAccess?: true;
}

/** Marks a fix as one of several. */
export const asChoice = (fix: Fix): Fix => ({ ...fix, choice: true });

/** Marks a fix that changes access and needs a review. */
export const asAccessChanging = (fix: Fix): Fix => ({ ...fix, changesAccess: true });

/**
 * Returns the fix that can be applied without a review: the only one that is certain, if it does
 * not change who is admitted or under which name.
 */
export const automaticFix = ({ fixes }: Pick<Diagnostic, 'fixes'>): Fix | undefined => {
  const [fix, ...others] = fixes.filter(({ choice }) => choice === undefined);
  return others.length > 0 || fix?.changesAccess === true ? undefined : fix;
};

/** kube-apiserver's own error for the same cause, as its validation reports it. */
export interface ServerError {
  readonly type:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueDuplicate'
    | 'FieldValueForbidden'
    | 'FieldValueTooMany'
    | 'FieldValueNotSupported'
    | 'InternalError';
  /** The path of the field, for example `jwt[0].issuer.url`. */
  readonly field: string;
  /**
   * The value as kube-apiserver prints it: a string, a bool, a number, or the `%v` format of
   * anything else.
   */
  readonly badValue: string | number | boolean | null;
  readonly detail: string;
  /** The whole line: `field: Invalid value: …: detail`. */
  readonly message: string;
}

/**
 * The code and the field path of a diagnostic that causes others.
 *
 * @example
 * ```ts
 * const isCause = ({ code, path }: Diagnostic, cause: DiagnosticCause) =>
 *   code === cause.code && path === cause.path;
 * ```
 */
export interface DiagnosticCause {
  readonly code: string;
  readonly path: string;
}

/**
 * A finding about a file, with its position and, if they are known, its fixes.
 *
 * @example
 * ```ts
 * const summary = ({ code, message }: Diagnostic) => `${code}: ${message}`;
 * ```
 */
export interface Diagnostic {
  /**
   * The code, for example `AG1012`: 1xxx configuration, 2xxx CEL, 3xxx settings, 4xxx lints, 5xxx
   * runtime.
   */
  readonly code: string;
  /** The name, for example `duplicate-issuer-url`; also the name of its documentation page. */
  readonly name: string;
  readonly severity: Severity;
  readonly source: DiagnosticSource;
  /** One sentence; for a rule of kube-apiserver, its message. */
  readonly message: string;
  /** How to fix it, in one sentence; empty if the message contains it. */
  readonly help: string;
  readonly span: Span;
  /** The path of the field, for example `jwt[0].issuer.url`; absent for a place without a field. */
  readonly path?: string;
  /** Present if this disappears once another diagnostic of the file is fixed, its cause. */
  readonly consequenceOf?: DiagnosticCause;
  readonly related: readonly RelatedSpan[];
  readonly fixes: readonly Fix[];
  /** Present exactly for validation errors of kube-apiserver. */
  readonly server?: ServerError;
  /** What would show that a finding of a lint is true. */
  readonly question?: EvidenceQuestion;
  /** An example or a proof; absent if none was looked for. */
  readonly evidence?: Evidence;
}
