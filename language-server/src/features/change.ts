/** `authgraph/change`: what an unsaved edit changes for each sample. */
import {
  type AccessChange,
  accessChange,
  authenticatorOf,
  type ChangeCommand,
  changeCommand,
  changeSummary,
  changeThroughout,
  type DecidedSide,
  type Decision,
  decisionYaml,
  draftDomain,
  heldToAudience,
  lockOutOf,
  lossOf,
} from '@authgraph/engine/language';
import {
  type ChangeParams,
  type ChangeReport,
  type ChangeRow,
  type ConfigurationName,
  changeRequest,
} from '../protocol.ts';
import type { Sample } from '../samples.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import { configurationNames } from './configuration-names.ts';
import { pairVersions, type Versions } from './pair-versions.ts';
import { requestFeature } from './request-feature.ts';
import { requestedParts } from './requested-parts.ts';
import { requestedSamples } from './requested-samples.ts';
import { verdictOn } from './sample-verdict.ts';
import { claimsPath, configPath } from './whoami-command.ts';

export const change = requestFeature<ChangeParams, ChangeReport>(
  changeRequest,
  { rows: [], summary: '', problem: problems.failed },
  (params, { workspace }) => changeReport(workspace, params),
);

export const changeReport = async (
  workspace: Workspace,
  { uri, against, revision }: ChangeParams,
): Promise<ChangeReport> => {
  if (uri === '') return problemReport(problems.noneOpen);
  await workspace.whenSearched();
  const text = against ?? (await workspace.savedText(uri));
  if (text === undefined) return problemReport(problems.notSaved);
  const requested = requestedSamples(workspace.samples, 'all');
  if (requested.problem !== undefined) return problemReport(requested.problem);
  const { parts: after, problem: partsProblem } = await requestedParts(workspace, uri);
  if (partsProblem === problems.notAnalyzed) return problemReport(partsProblem);
  const before = await workspace.partsOfComparedText(uri, text);
  if (before === 'stopped') return problemReport(problems.otherNotAnalyzed);
  if (before.length === 0 && partsProblem !== undefined) return problemReport(partsProblem);
  const pairs = pairVersions(before, after);
  const names = configurationNames(
    pairs.map((pair) => ({ name: (pair.after ?? pair.before)?.name })),
  );
  const comparisons = pairs.flatMap((versions, index) => {
    const configuration = names[index] ?? { index };
    return requested.samples.map((sample) => {
      const change = changeOf(sample, { versions, configuration, now: workspace.now() });
      return { sample, change };
    });
  });
  const changes = requested.samples.flatMap((sample): readonly SampleChange[] => {
    const own = comparisons.filter((one) => one.sample === sample).map(({ change }) => change);
    const decided = own.filter((change) => typeof change !== 'string');
    // A sample that is undecided in one configuration may gain access there.
    if (decided.length < own.length) return [];
    return [{ name: sample.name, ...changeThroughout(decided) }];
  });
  const rows = comparisons.flatMap(({ change }) =>
    typeof change === 'string' ? [] : [change.row],
  );
  const undecided = comparisons
    .map(({ change }) => change)
    .filter((change) => typeof change === 'string');
  const problem = [...new Set(undecided)].join('; ');
  const commandLine = commandOf(workspace, after, {
    samples: requested.samples,
    before: against === undefined ? 'saved' : { revision },
  });
  const lockOut = problem === '' ? lockOutOf(changes) : undefined;
  const loss = lossOf(changes);
  return {
    rows,
    summary: changes.length === 0 ? '' : changeSummary(changes),
    ...(lockOut === undefined ? {} : { lockOut }),
    ...(loss === undefined ? {} : { loss }),
    ...(commandLine === undefined ? {} : { commandLine }),
    ...(problem === '' ? {} : { problem }),
  };
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

type SampleChange = Pick<AccessChange, 'name' | 'kind' | 'isIn'>;

interface ComparedSample extends Pick<AccessChange, 'kind' | 'isIn'> {
  readonly row: ChangeRow;
}

interface Comparison {
  readonly versions: Versions;
  readonly configuration: ConfigurationName;
  readonly now: number;
}

/** Returns a message if an error in the configuration leaves the sample undecided. */
const changeOf = (
  sample: Sample,
  { versions, configuration, now }: Comparison,
): ComparedSample | string => {
  const { id, name, claims } = sample;
  const beforeSide = sideOf(versions.before, sample);
  const afterSide = sideOf(versions.after, sample);
  if (beforeSide.decision === undefined) return problems.hadErrors;
  if (afterSide.decision === undefined) return problems.hasErrors;
  const [beforeDecided, afterDecided] = heldToAudience(
    claims,
    { decision: beforeSide.decision, node: beforeSide.node },
    { decision: afterSide.decision, node: afterSide.node },
  );
  const { kind, isIn, ...access } = accessChange(name, beforeDecided, afterDecided);
  const yaml = (decision: Decision, domain: string | undefined) =>
    decisionYaml(decision, { domain: domain ?? beforeSide.domain ?? afterSide.domain ?? '', now });
  const row: ChangeRow = {
    sample: { id, name },
    configuration,
    kind,
    before: beforeSide.refusal ?? access.before,
    after: afterSide.refusal ?? access.after,
    details: access.details,
    beforeYaml: yaml(beforeDecided, beforeSide.domain),
    afterYaml: yaml(afterDecided, afterSide.domain),
  };
  return { kind, isIn, row };
};

interface Side {
  readonly decision: Decision | undefined;
  readonly node: DecidedSide['node'];
  readonly domain: string | undefined;
  /** The headline, if the token's signature is invalid. */
  readonly refusal?: string;
}

const sideOf = (part: ConfigurationPart | undefined, sample: Sample): Side => {
  if (part === undefined) return { decision: noOpinion, node: undefined, domain: undefined };
  const { compilation } = part;
  const { decision, headline, signature } = verdictOn(compilation, sample);
  // The entry with the error may be the one that accepts this issuer.
  const isOpen = decision?.kind === 'noOpinion' && compilation.graph === undefined;
  return {
    decision: isOpen ? undefined : decision,
    node: authenticatorOf(compilation, sample.claims),
    domain: draftDomain(compilation),
    ...(signature === undefined ? {} : { refusal: headline }),
  };
};

const noOpinion: Decision = { kind: 'noOpinion' };
