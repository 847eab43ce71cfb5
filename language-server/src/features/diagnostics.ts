/**
 * Diagnostics of the compiler and the lints, pulled by the client or pushed to clients that do not
 * pull.
 */
import { type Diagnostic as EngineDiagnostic, oncePer } from '@authgraph/engine/language';
import {
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentDiagnosticParams,
  DocumentDiagnosticReportKind,
} from 'vscode-languageserver';
import type { StopReason } from '../compile-guard.ts';
import type { ClosedDocument } from '../configurations.ts';
import type { FindingsOfIssuer } from '../doctor-results.ts';
import { flagDiagnostics } from '../flag-diagnostics.ts';
import { canonicalUri } from '../folders.ts';
import type { SettingsPart } from '../project-settings.ts';
import type { InvalidSample } from '../samples.ts';
import { type TestFilePart, testFilePart } from '../test-files.ts';
import { diagnosticOf, rangeOf } from '../to-protocol.ts';
import type { Workspace } from '../workspace.ts';
import { doctorDiagnostics } from './doctor-diagnostics.ts';
import type { Feature, PartContext } from './feature.ts';
import { unboundGroups } from './mapped-groups.ts';

/**
 * Returns the diagnostics of a document: of its configurations, or of an invalid sample. Returns
 * the same array while nothing has changed. `closed` has the configurations of a file that is not
 * open.
 */
export const documentDiagnostics = (
  workspace: Workspace,
  uri: string,
  closed?: Pick<ClosedDocument, 'parts' | 'stopReason'>,
): readonly Diagnostic[] => {
  const { parts, stopReason } = closed ?? {
    parts: workspace.parts(uri),
    stopReason: workspace.stopReason(uri),
  };
  const { samples } = workspace;
  const options = workspace.optionsOf(uri);
  const settings = workspace.settingsPart(uri);
  const tests = testFilePart(workspace, uri);
  const findings = workspace.findingsOf(uri);
  const id = canonicalUri(uri);
  const invalid = samples.invalid.find((sample) => sample.id === id);
  if (stopReason !== undefined) return stopDiagnostics(stopReason, options);
  const groups = parts.flatMap((part) => unboundGroups({ workspace, part }));
  const groupsText = JSON.stringify(groups);
  const cached = diagnosticsCache.get(parts);
  if (
    cached?.options === options &&
    cached.invalid === invalid &&
    cached.settings === settings &&
    cached.findings === findings &&
    cached.groupsText === groupsText &&
    cached.tests === tests
  )
    return cached.items;
  const items = [
    ...parts.flatMap((part) => diagnosticsOf({ workspace, part })),
    ...(findings === undefined ? [] : doctorDiagnostics(parts, findings)),
    ...groups,
    ...flagDiagnostics(workspace, uri),
    ...(invalid === undefined ? [] : [sampleDiagnostic(invalid)]),
    ...(settings?.diagnostics.map((diagnostic) => diagnosticOf(diagnostic, settings)) ?? []),
    ...(tests?.diagnostics.map((diagnostic) => diagnosticOf(diagnostic, tests)) ?? []),
  ];
  diagnosticsCache.set(parts, { options, invalid, settings, tests, findings, groupsText, items });
  return items;
};

/** Returns one array per reason and settings, so that equal results are identical. */
const stopDiagnostics = (
  reason: StopReason,
  options: Workspace['options'],
): readonly Diagnostic[] => {
  const ofOptions =
    stopDiagnosticsCache.get(options) ?? new Map<StopReason, readonly Diagnostic[]>();
  stopDiagnosticsCache.set(options, ofOptions);
  const cached = ofOptions.get(reason);
  if (cached !== undefined) return cached;
  const items = [
    {
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
      severity: DiagnosticSeverity.Error,
      source: 'authgraph',
      code: 'AG5103',
      message: stopMessage(reason, options),
    },
  ];
  ofOptions.set(reason, items);
  return items;
};

const stopDiagnosticsCache = new WeakMap<
  Workspace['options'],
  Map<StopReason, readonly Diagnostic[]>
>();

/** Describes why the analysis stopped and what the user can do. */
export const stopMessage = (
  reason: StopReason,
  { analysisTimeoutMs }: Workspace['options'],
): string => {
  const why =
    reason === 'too slow'
      ? `it took longer than ${analysisTimeoutMs / 1000} s (setting authgraph.analysisTimeout)`
      : 'it used too much memory';
  return `The analysis of this file was stopped: ${why}. It runs again when the file changes; make the file smaller or split long expressions.`;
};

interface CachedDiagnostics {
  readonly options: Workspace['options'];
  readonly invalid: InvalidSample | undefined;
  readonly settings: SettingsPart | undefined;
  readonly tests: TestFilePart | undefined;
  readonly findings: FindingsOfIssuer | undefined;
  /** The diagnostics of groups that no binding names, as JSON. */
  readonly groupsText: string;
  readonly items: readonly Diagnostic[];
}

const diagnosticsCache = new WeakMap<ReturnType<Workspace['parts']>, CachedDiagnostics>();

const sampleDiagnostic = ({ problem, place }: InvalidSample): Diagnostic => ({
  range:
    place === undefined
      ? { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }
      : rangeOf(place.source, place.span),
  severity: DiagnosticSeverity.Error,
  source: 'authgraph',
  message: `not a valid sample: ${problem}`,
});

/** Returns diagnostics in document order, lints as the settings report them. */
export const diagnosticsOf = ({ part, workspace }: PartContext): readonly Diagnostic[] => {
  const { uri, places, compilation } = part;
  const shown = (diagnostic: EngineDiagnostic): Diagnostic =>
    diagnosticOf(diagnostic, { uri, places });
  return [
    ...compilation.diagnostics.map(shown),
    ...workspace.asReported(uri, part.lints()).map(shown),
  ];
};

export const diagnostics: Feature = {
  capabilities: (_, { diagnosticsScope }) => ({
    diagnosticProvider: {
      identifier: 'authgraph',
      interFileDependencies: false,
      workspaceDiagnostics: diagnosticsScope !== 'openFiles',
    },
  }),
  register(connection, handlers) {
    const { workspace } = handlers;
    const find = handlers.guardedAsync(
      async ({
        textDocument: { uri },
      }: DocumentDiagnosticParams): Promise<readonly Diagnostic[]> => {
        // The client shows the previous diagnostics until then.
        await workspace.whenAnalyzed(uri);
        return documentDiagnostics(workspace, uri);
      },
      [],
    );
    connection.languages.diagnostics.on(async (params, token) => {
      const items = await find(params, token);
      const resultId = resultIdOf(items);
      return resultId === params.previousResultId
        ? { kind: DocumentDiagnosticReportKind.Unchanged, resultId }
        : { kind: DocumentDiagnosticReportKind.Full, resultId, items: [...items] };
    });
  },
};

/** Returns an ID that is unique to the array within this process. */
export const resultIdOf = oncePer((_: readonly Diagnostic[]): string => {
  resultCount += 1;
  return String(resultCount);
});

let resultCount = 0;
