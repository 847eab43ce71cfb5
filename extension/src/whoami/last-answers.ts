/**
 * Remembers the last decided row of each sample, so that the view can show it while an error leaves
 * the sample undecided.
 */
import type { WhoamiReport, WhoamiRow } from '@authgraph/language-server/protocol';

export type LastAnswers = ReturnType<typeof createLastAnswers>;

export interface LastAnswer {
  readonly uri: string;
  readonly row: WhoamiRow;
  /** The report with the row. */
  readonly report: WhoamiReport;
  /** Whether changes have followed that no report shows, so several edits may lie in between. */
  isOutdated: boolean;
}

export const createLastAnswers = () => {
  const answers = new Map<string, LastAnswer>();
  const answersOf = (uri: string): readonly (readonly [string, LastAnswer])[] =>
    [...answers].filter(([, answer]) => answer.uri === uri);
  return {
    /** Remembers the decided rows of a report about a document. */
    remember(uri: string, report: WhoamiReport): void {
      for (const row of report.rows) {
        if (row.verdict === 'undecided') continue;
        if (answers.size >= maxRows) answers.clear();
        answers.set(keyOf(uri, row), { uri, row, report, isOutdated: false });
      }
    },
    /** Marks the answers about a document that changed while no report was requested. */
    markOutdated(uri: string): void {
      for (const [, answer] of answersOf(uri)) answer.isOutdated = true;
    },
    /** Forgets a closed document. */
    forget(uri: string): void {
      for (const [key] of answersOf(uri)) answers.delete(key);
    },
    /** Returns the last decided row of an undecided one. */
    of: (uri: string, row: WhoamiRow): LastAnswer | undefined =>
      row.verdict === 'undecided' ? answers.get(keyOf(uri, row)) : undefined,
    /**
     * Returns the report with undecided rows if the document has none any more, such as after an
     * edit that leaves no configuration.
     */
    complete(uri: string, report: WhoamiReport, samples: readonly string[]): WhoamiReport {
      const { problem } = report;
      if (report.rows.length > 0 || problem === undefined) return report;
      const known = answersOf(uri).filter(([, { row }]) => samples.includes(row.sample.id));
      return { ...report, rows: known.map(([, { row }]) => undecidedRow(row, problem)) };
    },
  };
};

/** More than any workspace has samples. */
const maxRows = 2000;

const keyOf = (
  uri: string,
  { sample, configuration }: Pick<WhoamiRow, 'sample' | 'configuration'>,
): string => JSON.stringify([uri, configuration.index, sample.id]);

const undecidedRow = (
  { sample, configuration, commandLine, namesFile }: WhoamiRow,
  reason: string,
): WhoamiRow => ({
  sample,
  configuration,
  verdict: 'undecided',
  headline: `${sample.name}: ${reason}`,
  reason,
  ...{ sources: [], steps: [], whyNot: [], yaml: '', commandLine, namesFile },
});
