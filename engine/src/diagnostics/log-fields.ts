/** Diagnostics of a file as fields of a log event. */
import { redactSecrets } from '../source/redact-secrets.ts';
import type { FileReport } from './render.ts';
import { inReportOrder } from './report-order.ts';

/** Maximum number of diagnostics in one event. */
const maxLogged = 50;

/** Returns the file and its diagnostics with position, field path, code and message. */
export const diagnosticFields = ({ source, diagnostics }: FileReport) => {
  const ordered = inReportOrder(diagnostics);
  return {
    file: source.uri,
    diagnostics: ordered.slice(0, maxLogged).map((diagnostic) => {
      const { line, column } = source.positionAt(diagnostic.span.start);
      const path = diagnostic.path;
      return {
        severity: diagnostic.severity,
        code: diagnostic.code,
        line: line + 1,
        column: column + 1,
        ...(path === undefined ? {} : { path }),
        message: redactSecrets(diagnostic.message),
        ...(diagnostic.help === '' ? {} : { help: redactSecrets(diagnostic.help) }),
      };
    }),
    ...(ordered.length > maxLogged ? { omitted: ordered.length - maxLogged } : {}),
  };
};
