/** The summary of a report: the result of each part in one line, and whether the configuration has a problem. */
import { summaryOf } from '../../diagnostics/json.ts';
import { counted } from '../../formats/counted.ts';
import { accessChangeKinds } from '../../simulate/access/access-result.ts';
import { coveragePercent } from '../../simulate/coverage/coverage.ts';
import { verdictSentence } from '../../simulate/difference/verdict-sentences.ts';
import { mutationScore } from '../../simulate/mutation/mutation-score.ts';
import { countText, percentText, totalOf } from '../coverage/file-coverage.ts';
import { summarySentences } from '../diff/diff-report.ts';
import type { MutatedFile } from '../mutation/mutated-file.ts';
import { countsOf, type TestRun } from '../testing/suite-result.ts';
import { identitiesOf } from './identities.ts';
import type { ReportData, ReportPart } from './report-data.ts';

/** How a line of the summary is marked: for people who see colors, and for all others. */
export type SummaryState = 'passed' | 'warning' | 'failed' | 'none';

export interface SummaryLine {
  readonly state: SummaryState;
  readonly sentence: string;
}

/** The parts of a report, in their order, with their headings. */
export const partTitles = {
  findings: 'Findings',
  difference: 'Access difference',
  graph: 'Authenticator graph',
  identities: 'Identities',
  tests: 'Tests',
  coverage: 'Coverage',
  mutation: 'Mutation testing',
} as const;

export type PartName = keyof typeof partTitles;

/** Returns the lines of each part that the report has. */
export const reportSummary = (
  report: ReportData,
): readonly (readonly [PartName, readonly SummaryLine[]])[] => [
  ['findings', [findingsLine(report)]],
  ...(report.difference === undefined
    ? []
    : [['difference', differenceLines(report.difference)] as const]),
  ['graph', linesOf(report.graph, ({ graph }) => [plain(graphSentence(graph.nodes.length))])],
  ['identities', [plain(identitiesSentence(report))]],
  ['tests', linesOf(report.tests, (run) => [testsLine(run)])],
  [
    'coverage',
    linesOf(report.coverage, (files) => {
      const total = totalOf(files);
      const state = coveragePercent(total) === 100 ? 'passed' : 'warning';
      return [{ state, sentence: `${countText(total)} of all outcomes are covered` }];
    }),
  ],
  ...(report.mutation === undefined
    ? []
    : [['mutation', linesOf(report.mutation, (files) => [mutationLine(files)])] as const]),
];

/** Returns whether the configuration has an error, or a test fails or cannot be run. */
export const isBadReport = ({ findings, tests }: ReportData): boolean =>
  summaryOf(findings).errors > 0 ||
  (tests.kind === 'result' && testsLine(tests.result).state === 'failed');

const plain = (sentence: string): SummaryLine => ({ state: 'none', sentence });

const linesOf = <Result>(
  part: ReportPart<Result>,
  lines: (result: Result) => readonly SummaryLine[],
): readonly SummaryLine[] =>
  part.kind === 'result' ? lines(part.result) : [plain(`none: ${part.reason}`)];

const findingsLine = ({ findings }: ReportData): SummaryLine => {
  const { errors, warnings, information, hints } = summaryOf(findings);
  const counts = [
    [errors, 'error'],
    [warnings, 'warning'],
    [information, 'information diagnostic'],
    [hints, 'hint'],
  ] as const;
  const shown = counts.filter(([count]) => count > 0).map(([count, noun]) => counted(count, noun));
  const worst = errors > 0 ? 'failed' : 'warning';
  return shown.length === 0
    ? { state: 'passed', sentence: 'no problems' }
    : { state: warnings + errors > 0 ? worst : 'none', sentence: shown.join(', ') };
};

const verdictStates = { found: 'failed', undecided: 'warning', proved: 'passed' } as const;

const differenceLines = (difference: NonNullable<ReportData['difference']>) =>
  linesOf(difference, (diff) => [
    ...accessChangeKinds.map((kind): SummaryLine => {
      const verdict = diff.comparison.verdicts[kind];
      const sentence = `${verdict.kind}: ${verdictSentence(kind, verdict)}`;
      return { state: verdictStates[verdict.kind], sentence };
    }),
    ...summarySentences(diff).map(plain),
  ]);

const graphSentence = (nodes: number): string => counted(nodes, 'JWT authenticator');

const identitiesSentence = (report: ReportData): string => {
  const identities = identitiesOf(report);
  const accepted = identities.filter(({ user }) => user !== null).length;
  return identities.length === 0
    ? 'none: there are no samples and no test cases'
    : `${accepted} accepted, ${identities.length - accepted} rejected`;
};

const testsLine = ({ suites, broken }: TestRun): SummaryLine => {
  const { passed, failed } = countsOf(suites);
  const unusable =
    broken.length === 0 ? '' : `; ${counted(broken.length, 'file')} could not be run`;
  const failures = failed === 0 ? '' : `${failed} failed, `;
  return {
    state: failed + broken.length > 0 ? 'failed' : 'passed',
    sentence: `${failures}${passed} passed${unusable}`,
  };
};

const mutationLine = (files: readonly MutatedFile[]): SummaryLine => {
  const { score, counts } = mutationScore(files.flatMap(({ results }) => results));
  const valid = counts.Killed + counts.Survived + counts.NoCoverage;
  return {
    state: counts.Killed === valid ? 'passed' : 'warning',
    sentence: `mutation score ${percentText(score)}: tests notice ${counts.Killed} of ${valid} small changes`,
  };
};
