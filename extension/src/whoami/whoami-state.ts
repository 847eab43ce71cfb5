/** The state of the page: the report, and the samples to choose from. */
import type { WhoamiReport, WhoamiRow } from '@authgraph/language-server/protocol';
import { DiagnosticSeverity, languages, type TextDocument, window, workspace } from 'vscode';
import type { AsFields, ShownRow, WhoamiState } from '../messages/whoami.ts';
import type { Model } from '../model.ts';
import { lineOf, smallestAtCursor } from '../place.ts';
import type { LastAnswer, LastAnswers } from './last-answers.ts';

/** A report with the number of the request that it answers. */
export interface NumberedReport {
  readonly number: number;
  readonly report: WhoamiReport;
  /** The configuration that the report is about. */
  readonly document: Pick<TextDocument, 'isDirty' | 'uri'> | undefined;
}

export const whoamiState = (
  { number, report, document }: NumberedReport,
  model: Pick<Model, 'configuration' | 'samples' | 'current'>,
  {
    as,
    isShown,
    lastAnswers,
  }: {
    readonly as: AsFields;
    readonly isShown: (id: string) => boolean;
    readonly lastAnswers: LastAnswers;
  },
): WhoamiState => {
  const { configuration, current } = model;
  return {
    kind: 'state',
    number,
    file: configuration && workspace.asRelativePath(configuration.uri),
    problem: (report.rows.length === 0 && previewUnavailableReason(model)) || report.problem,
    samples: model.samples
      .filter(({ problem }) => problem === undefined)
      .map(({ id, name }) => ({ id, name, isCurrent: id === current?.id, isShown: isShown(id) })),
    loadFailures: (report.loadFailures ?? []).map(({ text, asIf, errors }) => ({
      text,
      asIf,
      errors: errors.map(({ message, place }) => ({ message, line: lineOf(place) })),
    })),
    rows: report.rows.map((row) => {
      const isCurrent = row.sample.id === current?.id;
      const last = lastAnswers.of(document?.uri.toString() ?? '', row);
      return {
        ...shownRow(row, { isCurrent, report }),
        stale: last && staleAnswer(last, isCurrent),
      };
    }),
    as,
  };
};

/** Converts a row: locations become line numbers. */
const shownRow = (
  row: WhoamiRow,
  { isCurrent, report }: { readonly isCurrent: boolean; readonly report: WhoamiReport },
): ShownRow => ({
  sample: row.sample.name,
  configuration: row.configuration.title,
  isCurrent,
  verdict: row.verdict,
  headline: row.headline,
  warning: row.refusal,
  caution: row.caution,
  asIf: report.loadFailures?.find(
    ({ configuration }) => configuration.index === row.configuration.index,
  )?.asIf,
  reason: row.reason,
  stale: undefined,
  user: row.user,
  sources: row.sources.map(({ part, place }) => ({ part, line: lineOf(place) })),
  code: row.code,
  message: row.message,
  line: row.place && lineOf(row.place),
  steps: row.steps.map(({ place, ...step }) => ({ ...step, line: place && lineOf(place) })),
  whyNot: row.whyNot.map(({ text }) => text),
  closest: row.closest,
  acceptedWhenSaved: row.acceptedWhenSaved === true,
  acting: row.acting,
  stepAtCursor: stepAtCursor(row),
});

const staleAnswer = (
  { row, report, isOutdated }: LastAnswer,
  isCurrent: boolean,
): ShownRow['stale'] => ({
  title: isOutdated ? 'Last answer' : 'As of before your edit',
  row: withoutLines(shownRow(row, { isCurrent, report })),
});

/** Removes the lines of an older answer, because they may have moved, and the impersonation. */
const withoutLines = (row: ShownRow): ShownRow => ({
  ...row,
  sources: [],
  line: undefined,
  steps: [],
  whyNot: [],
  message: undefined,
  closest: undefined,
  acceptedWhenSaved: false,
  acting: undefined,
  stepAtCursor: undefined,
});

/** Returns `undefined` if the cursor is in no step. */
const stepAtCursor = ({ steps }: WhoamiRow): number | undefined => {
  const step = smallestAtCursor(steps, window.activeTextEditor);
  return step && steps.indexOf(step);
};

/**
 * Explains why a file has no preview: errors, or its size. Returns `undefined` if the file is not
 * the reason.
 */
const previewUnavailableReason = ({
  configuration,
  samples,
}: Pick<Model, 'configuration' | 'samples'>): string | undefined => {
  if (configuration === undefined || samples.length === 0) return undefined;
  const file = workspace.asRelativePath(configuration.uri);
  const diagnostics = languages
    .getDiagnostics(configuration.uri)
    .filter(({ source }) => source === 'authgraph');
  if (diagnostics.some(({ severity }) => severity === DiagnosticSeverity.Error)) {
    return `${file} has errors and can't be previewed: fix the ones listed in Problems first`;
  }
  // A file that is too large has a warning that explains it.
  const [first] = diagnostics;
  return first && `${file} can't be previewed: ${first.message}`;
};
