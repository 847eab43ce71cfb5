/** Diagnostics on the URLs of the issuers in which the doctor found a problem. */
import { type DoctorFinding, entryNode } from '@authgraph/engine/language';
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import type { FindingsOfIssuer } from '../doctor-results.ts';
import type { ConfigurationPart } from '../workspace.ts';

/** Returns none for issuers whose URLs or certificate authority changed since the doctor ran. */
export const doctorDiagnostics = (
  parts: readonly ConfigurationPart[],
  findingsOf: FindingsOfIssuer,
): readonly Diagnostic[] =>
  parts.flatMap(({ compilation, places }) =>
    (compilation.configuration?.jwt ?? []).flatMap(({ issuer: { url } }, index) => {
      const entry = entryNode(compilation, index);
      const findings = entry === undefined ? undefined : findingsOf(entry.node);
      if (url === undefined || findings === undefined) return [];
      const range = places.range(url.span);
      return findings.flatMap(({ level, text, help }) =>
        level === 'ok'
          ? []
          : [
              {
                range,
                severity: severities[level],
                source: 'authgraph',
                message: help === '' ? text : `${text}\n${help}`,
              },
            ],
      );
    }),
  );

const severities: Readonly<Record<Exclude<DoctorFinding['level'], 'ok'>, DiagnosticSeverity>> = {
  warning: DiagnosticSeverity.Warning,
  error: DiagnosticSeverity.Error,
};
