/** Rules of kube-apiserver: their errors have its messages. */
import type { ServerError } from '../../diagnostics/diagnostic.ts';
import type { Report, Rule } from '../../diagnostics/rule.ts';
import type { SourceFile } from '../../source/source-file.ts';
import type { LocatedString } from '../configuration.ts';
import { displayMessage } from '../server-error.ts';

export interface RulePlace {
  /** The source that fixes edit. */
  readonly source: SourceFile;
  readonly format: 'yaml' | 'json';
}

/** Returns true for a string that is not empty: kube-apiserver treats absent and empty ones alike. */
export const isSet = (text: LocatedString | undefined): text is LocatedString =>
  text !== undefined && text.value !== '';

export type ServerRule<Subject> = Rule<Subject, ServerError>;

type ServerRuleForm<Subject> = Pick<
  ServerRule<Subject>,
  'code' | 'name' | 'summary' | 'help' | 'check'
>;

/** Defines a rule whose reports carry a server error, which also provides the message. */
export const defineServerRule = <Subject>(form: ServerRuleForm<Subject>): ServerRule<Subject> => ({
  ...form,
  severity: 'error',
  source: 'server',
  message: displayMessage,
  check: (subject, report) => {
    const withError: Report<ServerError> = (span, error, details = {}) =>
      report(span, error, { server: error, ...details });
    form.check(subject, withError);
  },
});
