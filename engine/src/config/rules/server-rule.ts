/** A rule of the real server: an error whose words are the server's. */
import type { ServerError } from '../../diagnostics/diagnostic.ts';
import type { Report, Rule } from '../../diagnostics/rule.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { displayMessage } from '../server-error.ts';

export interface RulePlace {
  /** For fixes, which write into the text. */
  readonly source: SourceFile;
  readonly format: 'yaml' | 'json';
}

export type ServerRule<Subject> = Rule<Subject, ServerError>;

type ServerRuleForm<Subject> = Pick<
  ServerRule<Subject>,
  'code' | 'name' | 'summary' | 'help' | 'check'
>;

/** Every report carries its server error, which also gives the message. */
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
