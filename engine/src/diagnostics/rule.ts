/**
 * The shape of a rule: its code, its texts and its check. The catalog, the documentation pages, the
 * editor's quick fixes and the CLI read it.
 */
import type { Span } from '../source/span.ts';
import type {
  Diagnostic,
  DiagnosticCause,
  DiagnosticSource,
  Fix,
  RelatedSpan,
  ServerError,
  Severity,
} from './diagnostic.ts';
import type { EvidenceQuestion } from './evidence.ts';

/** What the catalog knows about a rule without running it. */
export interface RuleDescription {
  readonly code: string;
  readonly name: string;
  readonly severity: Severity;
  readonly source: DiagnosticSource;
  /** One sentence for lists. */
  readonly summary: string;
}

export interface ReportDetails {
  readonly related?: readonly RelatedSpan[];
  readonly fixes?: readonly Fix[];
  readonly help?: string;
  readonly server?: ServerError;
  readonly severity?: Severity;
  readonly consequenceOf?: DiagnosticCause;
  readonly question?: EvidenceQuestion;
  /** The path of the field, if it is not that of the span. */
  readonly path?: string;
}

export type Report<Args> = (span: Span, args: Args, details?: ReportDetails) => void;

/**
 * A description with a message but without a check, for code that reports problems while it works.
 */
export interface Finding<Args> extends RuleDescription {
  readonly message: (args: Args) => string;
  /** How to fix the problem, unless a report has more specific help. */
  readonly help?: (args: Args) => string;
}

export interface Rule<Subject, Args> extends Finding<Args> {
  readonly check: (subject: Subject, report: Report<Args>) => void;
}

/** Returns the finding, which is an error of kube-apiserver unless it says otherwise. */
export const defineFinding = <Args>(
  finding: Omit<Finding<Args>, 'severity' | 'source'> &
    Partial<Pick<Finding<Args>, 'severity' | 'source'>>,
): Finding<Args> => ({ severity: 'error', source: 'server', ...finding });

export const diagnosticOf = <Args>(
  finding: Finding<Args>,
  span: Span,
  args: Args,
  details: ReportDetails = {},
): Diagnostic => ({
  code: finding.code,
  name: finding.name,
  severity: details.severity ?? finding.severity,
  source: finding.source,
  message: finding.message(args),
  help: details.help ?? finding.help?.(args) ?? '',
  span,
  related: details.related ?? [],
  fixes: details.fixes ?? [],
  ...(details.server === undefined ? {} : { server: details.server }),
  ...(details.consequenceOf === undefined ? {} : { consequenceOf: details.consequenceOf }),
  ...(details.question === undefined ? {} : { question: details.question }),
  ...(details.path === undefined ? {} : { path: details.path }),
});

export const runRule = <Subject, Args>(
  rule: Rule<Subject, Args>,
  subject: Subject,
): readonly Diagnostic[] => {
  const diagnostics: Diagnostic[] = [];
  rule.check(subject, (span, args, details) => {
    diagnostics.push(diagnosticOf(rule, span, args, details));
  });
  return diagnostics;
};
