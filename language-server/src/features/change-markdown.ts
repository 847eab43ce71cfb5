/** `authgraph/changeMarkdown`: the comparison with another version as Markdown for a pull request. */
import {
  type AccessChange,
  type AccessComparison,
  accessChangeKinds,
  addSystemGroupGains,
  type ConfigurationSource,
  changeSummary,
  compareAccessSteps,
  counted,
  fullControlSentences,
  lockOutOf,
  markdownReport,
  sourceFile,
  systemGroupGains,
  systemGroupSentences,
} from '@authgraph/engine/language';
import {
  type ChangeMarkdown,
  type ChangeMarkdownParams,
  changeMarkdownRequest,
} from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart } from '../workspace.ts';
import { accessSides, boundedTask } from './access-difference.ts';
import { absentConfiguration } from './change.ts';
import { changesThroughout, compareSamples, type SampleChange } from './change-samples.ts';
import { comparedVersions } from './compared-versions.ts';
import type { Versions } from './pair-versions.ts';
import { requestFeature } from './request-feature.ts';

export const changeMarkdown = requestFeature<ChangeMarkdownParams, ChangeMarkdown>(
  changeMarkdownRequest,
  { problem: problems.failed },
  async (params, { workspace, pause, inTurns }, token) => {
    await workspace.whenSearched();
    const compared = await comparedVersions(workspace, params);
    if (typeof compared === 'string') return { problem: compared };
    const absent = absentConfiguration(compared);
    if (absent !== undefined) return { problem: absent.problem };
    const { all } = workspace.samplesFor(params.uri);
    // The claims of samples in memory, such as pasted tokens, must not reach a file.
    const samples = all.filter(({ document }) => document !== undefined);
    const comparisons = await compareSamples(workspace, samples, { compared, params });
    const summary = summaryOf(
      [...changesThroughout(comparisons).values()],
      all.length - samples.length,
    );
    const isOnly = compared.pairs.length === 1;
    const texts = isOnly || summary.length === 0 ? [] : [summaryOfAll(summary)];
    const task = boundedTask();
    for (const [index, versions] of compared.pairs.entries()) {
      await pause(token);
      const title = compared.names[index]?.title;
      const changes = comparisons.flatMap((one) =>
        one.index === index && typeof one.change !== 'string' ? [one.change.access] : [],
      );
      const sentences = isOnly ? summary : [];
      const sides = accessSides(versions);
      if (typeof sides === 'string') return { problem: sides };
      const comparison = await inTurns(compareAccessSteps(sides.before, sides.after, task), token);
      const parts = { comparison, files: params, title, summary: sentences };
      texts.push(reportOf(versions, changes, parts));
    }
    return { text: texts.join('\n') };
  },
);

/** Returns sentences about the samples, whatever the number of configurations. */
const summaryOf = (changes: readonly SampleChange[], inMemory: number): readonly string[] => {
  const lockOut = lockOutOf(changes);
  return [
    ...(lockOut === undefined ? [] : [lockOut]),
    ...(changes.length === 0 ? [] : [changeSummary(changes)]),
    ...(inMemory === 0
      ? []
      : [`${counted(inMemory, 'sample')} in memory ${inMemory === 1 ? 'is' : 'are'} left out`]),
  ];
};

const summaryOfAll = (sentences: readonly string[]): string =>
  `All configurations:\n\n${sentences.map((one) => `- **${one}**\n`).join('')}`;

interface ReportParts {
  readonly comparison: AccessComparison;
  readonly files: Pick<ChangeMarkdownParams, 'before' | 'after'>;
  /** The name of the configuration in a document with several. */
  readonly title: string | undefined;
  /** Sentences about the samples. */
  readonly summary: readonly string[];
}

const reportOf = (
  versions: Versions,
  changes: readonly AccessChange[],
  { comparison, files, title, summary }: ReportParts,
): string => {
  const fullControl = changes.filter(({ gainsFullControl }) => gainsFullControl).length;
  const systemGroups = addSystemGroupGains(
    changes.map(({ gainedSystemGroups }) => systemGroupGains(gainedSystemGroups)),
  );
  const named = (file: string): string => (title === undefined ? file : `${file} (${title})`);
  return markdownReport({
    names: { before: named(files.before), after: named(files.after) },
    sources: {
      before: sourceOf(versions.before, files.before),
      after: sourceOf(versions.after, files.after),
    },
    comparison,
    // The summary counts samples across all configurations.
    samples: [],
    examples: changes,
    failOn: accessChangeKinds,
    summary: [
      ...summary,
      ...fullControlSentences(comparison, { known: fullControl, noun: 'sample' }),
      ...systemGroupSentences(comparison.verdicts, { known: systemGroups, noun: 'sample' }),
    ],
  });
};

const sourceOf = (
  part: ConfigurationPart | undefined,
  name: string,
): ConfigurationSource | undefined =>
  part && { source: sourceFile(name, part.places.file.text), toFile: part.places.toFile };
