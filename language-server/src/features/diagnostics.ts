/** What the compiler and the lints say, pulled by the client, or pushed to one that does not pull. */
import type { Diagnostic as EngineDiagnostic } from '@authgraph/engine/language';
import {
  type Diagnostic,
  DiagnosticSeverity,
  DocumentDiagnosticReportKind,
} from 'vscode-languageserver';
import { diagnosticOf } from '../to-protocol.ts';
import type { Feature, PartContext } from './feature.ts';

/** In the order of the text; lints at the level that the settings give them. */
export const diagnosticsOf = ({ part, workspace }: PartContext): readonly Diagnostic[] => {
  const { uri, places, compilation } = part;
  const shown = (found: EngineDiagnostic): Diagnostic => diagnosticOf(found, { uri, places });
  return [
    ...compilation.diagnostics.map(shown),
    ...part.lints().flatMap((found) => {
      const level =
        workspace.options.lintLevels.get(found.code) ??
        workspace.options.lintLevels.get(found.name);
      if (level === 'off') return [];
      return level === undefined
        ? [shown(found)]
        : [{ ...shown(found), severity: severities[level] }];
    }),
  ];
};

const severities = {
  hint: DiagnosticSeverity.Hint,
  information: DiagnosticSeverity.Information,
  warning: DiagnosticSeverity.Warning,
} as const;

export const diagnostics: Feature = {
  capabilities: {
    diagnosticProvider: {
      identifier: 'authgraph',
      interFileDependencies: false,
      workspaceDiagnostics: false,
    },
  },
  register(connection, answering) {
    const items = answering.throughout(diagnosticsOf);
    connection.languages.diagnostics.on((params, token) => ({
      kind: DocumentDiagnosticReportKind.Full,
      items: items(params, token),
    }));
  },
};
