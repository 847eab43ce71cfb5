/**
 * Formats a report as one HTML file. Claims, names, expressions and paths are untrusted: `text` and `code` escape all of
 * them.
 */
import { graphText } from '../../compile/explain.ts';
import { graphStyle } from '../../compile/graph-colors.ts';
import { graphSvg } from '../../compile/graph-svg.ts';
import { productVersion } from '../../model/product-version.ts';
import { redactSecrets } from '../../source/redact-secrets.ts';
import { coverageSections } from '../coverage/coverage-html.ts';
import { diffSections } from '../diff/diff-html.ts';
import { scrollRegion, table } from '../html/elements.ts';
import { htmlPage } from '../html/page.ts';
import { block, code, text, userHtml } from '../html/untrusted-text.ts';
import { findingSections } from './finding-html.ts';
import { identitiesOf } from './identities.ts';
import { mutationSections } from './mutation-html.ts';
import type { ReportData, ReportPart } from './report-data.ts';
import { type PartName, partTitles, reportSummary, type SummaryLine } from './report-summary.ts';
import { limited } from './shown-entries.ts';
import { testSections } from './test-html.ts';

export const reportHtml = (report: ReportData): string => {
  const { name, release, graph, tests, coverage, mutation, difference } = report;
  const sections: readonly (readonly [PartName, string])[] = [
    ['findings', findingSections(report.findings, coverage)],
    ...(difference === undefined
      ? []
      : [['difference', partHtml(difference, (diff) => diffSections(diff, 3))] as const]),
    ['graph', partHtml(graph, graphSection)],
    ['identities', identitiesSection(report)],
    ['tests', partHtml(tests, testSections)],
    ['coverage', partHtml(coverage, (files) => coverageSections(files, 3))],
    ...(mutation === undefined
      ? []
      : [['mutation', partHtml(mutation, mutationSections)] as const]),
  ];
  return htmlPage({
    title: `Authentication report: ${name}`,
    innerStyles: [graphStyle],
    body: [
      `<h1>Authentication report: ${code(name)}</h1>`,
      `<p class="note">Decided as kube-apiserver ${text(release)}, by AuthGraph ${text(productVersion)}.${graph.kind === 'result' ? ` Hash of the graph: ${code(graph.result.hash)}` : ''}</p>`,
      summaryTable(report),
      ...sections.map(
        ([part, content]) =>
          `<section aria-labelledby="${part}">\n<h2 id="${part}">${partTitles[part]}</h2>\n${content}\n</section>`,
      ),
    ].join('\n'),
  });
};

const partHtml = <Result>(part: ReportPart<Result>, format: (result: Result) => string): string =>
  part.kind === 'result' ? format(part.result) : `<p>None. ${text(part.reason)}</p>`;

const summaryTable = (report: ReportData): string =>
  table({
    caption: 'Summary',
    hidesCaption: true,
    columns: ['Part', 'Result'],
    rows: reportSummary(report).map(([part, lines]) => [
      `<a href="#${part}">${partTitles[part]}</a>`,
      lines.map(summaryLine).join('<br>'),
    ]),
  });

/** The marks are read by no screen reader, because the sentences contain the result. */
const marks = { passed: '✓ ', warning: '! ', failed: '✗ ', none: '' } as const;

const summaryLine = ({ state, sentence }: SummaryLine): string =>
  `<span class="${state}"><span aria-hidden="true">${marks[state]}</span>${text(sentence)}</span>`;

const graphSection = ({
  graph,
}: Extract<ReportData['graph'], { kind: 'result' }>['result']): string =>
  [
    scrollRegion('Picture of the graph', redactSecrets(graphSvg(graph, { for: 'file' }))),
    `<details><summary>The graph in sentences</summary>${block(graphText(graph))}</details>`,
  ].join('\n');

const identitiesSection = (report: ReportData): string => {
  const identities = identitiesOf(report);
  if (identities.length === 0) return '<p>There are no samples and no test cases.</p>';
  const { shown, note } = limited(identities);
  return (
    table({
      caption: 'Who each sample and each test case is',
      hidesCaption: true,
      columns: ['Sample or case', 'Decision', 'User or reason'],
      rows: shown.map(({ name, from, user, reason, notes }) => [
        `${text(name)}<br><span class="note">${text(from)}</span>`,
        user === null
          ? '<span class="kind failed">rejected</span>'
          : `<span class="kind passed">accepted</span><br><span class="kind note">${text(reason)}</span>`,
        [user === null ? text(reason) : userHtml(user), ...notes.map(text)].join('<br>'),
      ]),
    }) + note
  );
};
