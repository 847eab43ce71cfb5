/** A refused configuration in one line, as the real server says it when it does not start. */
import { compile } from '../compile/compile.ts';
import type { ServerReport } from '../compile/server-report.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { artifactUnusable } from '../diagnostics/reload-findings.ts';
import { aggregateMessages } from '../runtime/authenticate.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { ServedConfiguration } from './served-configuration.ts';

export const loadErrorText = (
  rejected: { readonly source: SourceFile; readonly diagnostics: readonly Diagnostic[] },
  { source, settings }: Extract<ServedConfiguration, { kind: 'configuration' }>,
): string => {
  const unusable = rejected.diagnostics.find(({ name }) => name === artifactUnusable.name);
  if (unusable !== undefined) return unusable.message;
  // Compiled again for the real order of errors, which places do not tell.
  const { report, document } = compile({ source: rejected.source, settings, limits: 'warn' });
  // Of bytes that are no text the compiler knows nothing.
  const syntax = rejected.diagnostics.find(({ name }) => name === 'yaml-syntax')?.message;
  const error = syntax ?? report.decodeError;
  if (error !== undefined) {
    const text = document.data?.kind === 'object' ? error : unquoted(error);
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
  return first?.message ?? 'the configuration was refused';
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

/** Without the file that the real server quotes whole: what is no configuration may be a secret. */
const unquoted = (error: string): string => {
  const quote = error.indexOf(" in '");
  const isQuoted = quote >= 0 && error.length > quote + " in '".length && error.endsWith("'");
  return isQuoted ? error.slice(0, quote) : error;
};
