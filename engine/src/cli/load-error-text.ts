/**
 * Formats a rejected configuration as the one-line error with which kube-apiserver fails to start.
 */
import { compile } from '../compile/compile.ts';
import type { ServerReport } from '../compile/server-report.ts';
import { withSchemeName } from '../config/versions.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { artifactUnusable } from '../diagnostics/reload-findings.ts';
import { aggregateMessages } from '../runtime/combine-decisions.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { ServedConfiguration } from './served-configuration.ts';

export const loadErrorText = (
  rejected: { readonly source: SourceFile; readonly diagnostics: readonly Diagnostic[] },
  { source, settings }: Extract<ServedConfiguration, { kind: 'configuration' }>,
): string => {
  const unusable = rejected.diagnostics.find(({ name }) => name === artifactUnusable.name);
  if (unusable !== undefined) return unusable.message;
  // Compiled again to get the errors in kube-apiserver's order, which differs from their order in
  // the file.
  const { report, document } = compile({ source: rejected.source, settings, limits: 'warn' });
  // The compiler does not report bytes that are not text.
  const syntax = rejected.diagnostics.find(({ name }) => name === 'yaml-syntax')?.message;
  const error = syntax ?? report.decodeError;
  if (error !== undefined) {
    const text = withSchemeName(document.data?.kind === 'object' ? error : unquoted(error));
    return source.kind === 'file'
      ? `failed to load authentication configuration from file ${JSON.stringify(source.path)}: ${text}`
      : text;
  }
  const conflict = rejected.diagnostics.find(({ name }) => name === 'anonymous-flag-and-section');
  if (conflict !== undefined) return conflict.message;
  if (report.errors.length > 0) {
    const early = compile({
      source: rejected.source,
      settings: { ...settings, disallowedIssuers: [] },
      limits: 'warn',
    }).report.errors;
    return early.length > 0
      ? `invalid authentication configuration: ${aggregateMessages(early.map(({ message }) => message))}`
      : creationText(rejected.diagnostics, report);
  }
  const first = rejected.diagnostics.find(({ severity }) => severity === 'error');
  return first?.message ?? 'the configuration is invalid';
};

/**
 * kube-apiserver checks its own issuers and egress selectors when it creates the authenticators, one
 * entry after the other, and stops at the first entry that fails.
 */
const creationText = (
  diagnostics: readonly Diagnostic[],
  { errors }: Pick<ServerReport, 'errors'>,
): string => {
  const [first] = diagnostics.filter(
    ({ name, server }) => server !== undefined || name === 'egress-lookup-missing',
  );
  if (first !== undefined && first.server === undefined) return first.message;
  const [entry = ''] = /^jwt\[\d+\]\./.exec(errors[0]?.message ?? '') ?? [];
  return aggregateMessages(
    errors
      .filter(({ message }) => message.startsWith(entry))
      .map(({ message }) => message.slice(entry.length)),
  );
};

/**
 * Removes the quoted file from a message: kube-apiserver quotes the whole file, which may be a
 * secret if it is not a configuration.
 */
const unquoted = (error: string): string => {
  const quote = error.indexOf(" in '");
  const isQuoted = quote >= 0 && error.length > quote + " in '".length && error.endsWith("'");
  return isQuoted ? error.slice(0, quote) : error;
};
