/** `authgraph/changeMarkdown`: the comparison with another version as Markdown for a pull request. */
import {
  accessChange,
  addSystemGroupGains,
  type ConfigurationSource,
  changeSummary,
  compareAccess,
  fullControlSentences,
  linkComparer,
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
import type { Sample } from '../samples.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart } from '../workspace.ts';
import { accessSides } from './access-difference.ts';
import { comparedVersions } from './compared-versions.ts';
import type { Versions } from './pair-versions.ts';
import { requestFeature } from './request-feature.ts';

export const changeMarkdown = requestFeature<ChangeMarkdownParams, ChangeMarkdown>(
  changeMarkdownRequest,
  { problem: problems.failed },
  async (params, { workspace, pause }, token) => {
    await workspace.whenSearched();
    const compared = await comparedVersions(workspace, params);
    if (typeof compared === 'string') return { problem: compared };
    const { all } = workspace.samplesFor(params.uri);
    const texts: string[] = [];
    for (const [index, versions] of compared.pairs.entries()) {
      await pause(token);
      const title = compared.names[index]?.title;
      const report = reportOf(versions, all, { files: params, title });
      if ('problem' in report) return report;
      texts.push(report.text);
    }
    return { text: texts.join('\n') };
  },
);

interface ReportNames {
  readonly files: Pick<ChangeMarkdownParams, 'before' | 'after'>;
  /** The name of the configuration in a document with several. */
  readonly title: string | undefined;
}

const reportOf = (
  versions: Versions,
  samples: readonly Sample[],
  { files, title }: ReportNames,
): ChangeMarkdown => {
  const sides = accessSides(versions);
  if (typeof sides === 'string') return { problem: sides };
  const compare = linkComparer(sides.before.graph, sides.after.graph);
  const changes = samples.map(({ name, claims }) => {
    const { before, after } = compare(claims);
    return accessChange(name, before, after);
  });
  const comparison = compareAccess(sides.before, sides.after);
  const fullControl = changes.filter(({ gainsFullControl }) => gainsFullControl).length;
  const systemGroups = addSystemGroupGains(
    changes.map(({ gainedSystemGroups }) => systemGroupGains(gainedSystemGroups)),
  );
  const named = (file: string): string => (title === undefined ? file : `${file} (${title})`);
  return {
    text: markdownReport({
      names: { before: named(files.before), after: named(files.after) },
      sources: {
        before: sourceOf(versions.before, files.before),
        after: sourceOf(versions.after, files.after),
      },
      comparison,
      samples: changes,
      examples: [],
      summary: [
        ...(changes.length === 0 ? [] : [changeSummary(changes)]),
        ...fullControlSentences(comparison.verdicts, { known: fullControl, noun: 'sample' }),
        ...systemGroupSentences(comparison.verdicts, { known: systemGroups, noun: 'sample' }),
      ],
    }),
  };
};

const sourceOf = (
  part: ConfigurationPart | undefined,
  name: string,
): ConfigurationSource | undefined =>
  part && { source: sourceFile(name, part.places.file.text), toFile: part.places.toFile };
