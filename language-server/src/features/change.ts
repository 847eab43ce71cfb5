/** `authgraph/change`: what an unsaved edit changes for each sample. */
import {
  type ChangeCommand,
  changeCommand,
  changeSummary,
  lockOutOf,
  lossOf,
} from '@authgraph/engine/language';
import {
  type ChangeParams,
  type ChangeReport,
  changeRequest,
  type LoadFailureRow,
} from '../protocol.ts';
import type { Sample } from '../samples.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import { changesThroughout, compareSamples } from './change-samples.ts';
import { type ComparedVersions, comparedVersions } from './compared-versions.ts';
import { loadFailures, previewAssumption } from './load-failure.ts';
import { requestFeature } from './request-feature.ts';
import { requestedSamples } from './requested-samples.ts';
import { claimsPath, configPath } from './whoami-command.ts';

export const change = requestFeature<ChangeParams, ChangeReport>(
  changeRequest,
  { rows: [], summary: '', problem: problems.failed },
  (params, { workspace }) => changeReport(workspace, params),
);

export const changeReport = async (
  workspace: Workspace,
  params: ChangeParams,
): Promise<ChangeReport> => {
  const { uri, against, revision } = params;
  if (uri === '') return problemReport(problems.noneOpen);
  await workspace.whenSearched();
  const requested = requestedSamples(workspace, uri, 'all');
  if (requested.problem !== undefined) return problemReport(requested.problem);
  const compared = await comparedVersions(workspace, params);
  if (typeof compared === 'string') return problemReport(compared);
  const { before, after } = compared;
  const comparisons = await compareSamples(workspace, requested.samples, { compared, params });
  const overall = changesThroughout(comparisons);
  const changes = [...overall.values()];
  const rows = comparisons.flatMap(({ sample, change }) => {
    if (typeof change === 'string') return [];
    const kind = overall.get(sample)?.kind;
    return [{ ...change.row, ...(kind === undefined ? {} : { overall: kind }) }];
  });
  const undecided = comparisons
    .map(({ change }) => change)
    .filter((change) => typeof change === 'string');
  const problem = [...new Set(undecided)].join('; ');
  const commandLine = commandOf(workspace, after, {
    samples: requested.samples,
    before: against === undefined ? 'saved' : { revision },
  });
  const absent = absentConfiguration(compared);
  const failures = absent?.side === 'after' ? [absentRow(uri, before)] : failuresAfter(compared);
  const failureBefore =
    (absent?.side === 'before' ? absent.problem : undefined) ??
    (loadFailures(before).length > 0 ? problems.didNotLoad : undefined);
  // A text that does not load changes nothing for the time being.
  const isLoaded = failures.length === 0;
  const lockOut = problem === '' && isLoaded ? lockOutOf(changes) : undefined;
  const loss = isLoaded ? lossOf(changes) : undefined;
  return {
    rows,
    summary: changes.length === 0 ? '' : [changeSummary(changes), ...asIf(failures)].join(', '),
    ...(isLoaded ? {} : { loadFailures: failures }),
    ...(failureBefore === undefined ? {} : { failureBefore }),
    ...(lockOut === undefined ? {} : { lockOut }),
    ...(loss === undefined ? {} : { loss }),
    ...(commandLine === undefined ? {} : { commandLine }),
    ...(problem === '' ? {} : { problem }),
  };
};

/**
 * Returns the version without a configuration of a file that is one in the other version.
 * kube-apiserver does not load it; an object without embedded configurations is valid instead.
 */
export const absentConfiguration = ({
  before,
  after,
}: Pick<ComparedVersions, 'before' | 'after'>):
  | { readonly side: 'before' | 'after'; readonly problem: string }
  | undefined => {
  const isStandalone = [...before, ...after].some(({ name }) => name === undefined);
  if (!isStandalone) return undefined;
  if (after.length === 0) return { side: 'after', problem: problems.noConfiguration };
  return before.length === 0 ? { side: 'before', problem: problems.hadNoConfiguration } : undefined;
};

type ChangeFailures = NonNullable<ChangeReport['loadFailures']>;

const absentRow = (uri: string, before: readonly ConfigurationPart[]): ChangeFailures[number] => {
  const start = { line: 0, character: 0 };
  const message = 'the file has no AuthenticationConfiguration';
  return {
    configuration: { index: 0 },
    text: 'This file does not load, because it has no AuthenticationConfiguration',
    asIf: 'as if it had no authenticators',
    errorCount: 1,
    errors: [{ message, place: { uri, range: { start, end: start } } }],
    failedBefore: loadFailures(before).length > 0,
  };
};

const failuresAfter = ({ pairs, after }: ComparedVersions): ChangeFailures =>
  loadFailures(after).map((failure) => {
    const older = pairs[failure.configuration.index]?.before;
    const failedBefore = older !== undefined && previewAssumption(older.compilation) !== undefined;
    return { ...failure, failedBefore };
  });

/** Returns what the rows assume; nothing if all configurations load. */
const asIf = (failures: readonly LoadFailureRow[]): readonly string[] => {
  const assumptions = new Set(failures.map((failure) => failure.asIf));
  return assumptions.size > 1 ? ['as if the errors were fixed'] : [...assumptions];
};

/**
 * Returns the equivalent CLI command, or `undefined` if the configuration is embedded in another
 * file or no sample is a file.
 */
const commandOf = (
  workspace: Workspace,
  [part]: readonly ConfigurationPart[],
  { samples, before }: { readonly samples: readonly Sample[] } & Pick<ChangeCommand, 'before'>,
): string | undefined => {
  if (part === undefined) return undefined;
  const config = configPath(workspace, part);
  const claims = samples.flatMap((sample) => claimsPath(sample) ?? []);
  if (config === undefined || claims.length === 0) return undefined;
  const release = part.compilation.settings.targetRelease;
  return changeCommand({ config, claims, before, release });
};

const problemReport = (problem: string): ChangeReport => ({ rows: [], summary: '', problem });
