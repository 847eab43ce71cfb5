/** Formats the comparison of two configurations as Markdown for a pull request. */
import { markdownReport } from '../../simulate/difference/markdown-report.ts';
import { type DiffReport, type FailureKinds, summarySentences } from './diff-report.ts';

export const diffMarkdown = (report: DiffReport, { failOn }: FailureKinds): string =>
  markdownReport({
    ...report,
    failOn,
    examples: report.corpora.flatMap(({ examples }) => examples),
    summary: summarySentences(report),
  });
