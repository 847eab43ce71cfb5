/** `authgraph/change`: what an unsaved edit changes for each sample. */
import {
  type AccessChange,
  accessChange,
  authenticatorOf,
  type ChangeCommand,
  type ClaimSet,
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
  type LoadFailureRow,
} from '../protocol.ts';
import type { Sample } from '../samples.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import { comparedVersions } from './compared-versions.ts';
import { earlierClaims } from './earlier-samples.ts';
import { loadFailures, previewAssumption } from './load-failure.ts';
import type { Versions } from './pair-versions.ts';
import { requestFeature } from './request-feature.ts';
import { requestedSamples } from './requested-samples.ts';
import { verdictOn } from './sample-verdict.ts';
import { placeMember } from './whoami.ts';
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
  const { before, after, pairs, names } = compared;
  const earlier = await earlierClaims(workspace, requested.samples, params);
  const comparisons = pairs.flatMap((versions, index) => {
    const configuration = names[index] ?? { index };
    return requested.samples.map((sample) => {
      const comparison = { versions, configuration, now: workspace.now() };
      return { sample, change: changeSince(earlier.get(sample.id), sample, comparison) };
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
  const failures = loadFailures(after).map((failure) => {
    const older = pairs[failure.configuration.index]?.before;
    const failedBefore = older !== undefined && previewAssumption(older.compilation) !== undefined;
    return { ...failure, failedBefore };
  });
  const failureBefore = loadFailures(before).length > 0 ? problems.didNotLoad : undefined;
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

type SampleChange = Pick<AccessChange, 'name' | 'kind' | 'isIn'>;

interface ComparedSample extends Pick<AccessChange, 'kind' | 'isIn'> {
  readonly row: ChangeRow;
}

interface Comparison {
  readonly versions: Versions;
  readonly configuration: ConfigurationName;
  readonly now: number;
}

/**
 * Compares the earlier claims under the earlier configuration with the current ones. A change that
 * only an edit of the sample causes is not one of access.
 */
const changeSince = (
  earlierClaimSet: ClaimSet | undefined,
  sample: Sample,
  comparison: Comparison,
): ComparedSample | string => {
  const change = changeOf(sample, sample, comparison);
  if (earlierClaimSet === undefined || typeof change === 'string') return change;
  const earlier = { ...sample, claims: earlierClaimSet };
  const changeOfEarlier = changeOf(earlier, earlier, comparison);
  const isWithoutEffect =
    change.kind === 'same' &&
    typeof changeOfEarlier !== 'string' &&
    changeOfEarlier.kind === 'same';
  return isWithoutEffect ? change : changeOf(earlier, sample, comparison);
};

/** Returns a message if an error in the configuration leaves the sample undecided. */
const changeOf = (
  earlier: Sample,
  sample: Sample,
  { versions, configuration, now }: Comparison,
): ComparedSample | string => {
  const { id, name, claims } = sample;
  const beforeSide = sideOf(versions.before, earlier, now);
  const afterSide = sideOf(versions.after, sample, now);
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
    before: (beforeDecided === beforeSide.decision && beforeSide.headline) || access.before,
    after: (afterDecided === afterSide.decision && afterSide.headline) || access.after,
    details: access.details,
    ...(kind === 'lost' ? placeOfLoss(versions, beforeSide, afterDecided) : {}),
    beforeYaml: yaml(beforeDecided, beforeSide.domain),
    afterYaml: yaml(afterDecided, afterSide.domain),
  };
  return { kind, isIn, row };
};

/** Returns the place of what rejects a sample that was accepted before. */
const placeOfLoss = (
  { before, after }: Versions,
  { node }: Side,
  decision: Decision,
): Pick<ChangeRow, 'place'> => {
  if (after === undefined) return {};
  if (decision.kind === 'rejected') return placeMember(after, decision.reason.at);
  // No authenticator accepts the issuer any more: the entry may have another one.
  const entry = after.compilation.graph?.nodes.find(({ id }) => id === node?.id);
  const isKnown = before?.compilation.graph?.nodes.some(
    ({ issuerUrl }) => issuerUrl === entry?.issuerUrl,
  );
  return entry === undefined || isKnown === true
    ? {}
    : placeMember(after, `${entry.id}.issuer.url`);
};

interface Side {
  readonly decision: Decision | undefined;
  readonly node: DecidedSide['node'];
  readonly domain: string | undefined;
  /** The headline of the verdict; `undefined` without a configuration. */
  readonly headline: string | undefined;
}

const sideOf = (part: ConfigurationPart | undefined, sample: Sample, now: number): Side => {
  if (part === undefined) {
    return { decision: noOpinion, node: undefined, domain: undefined, headline: undefined };
  }
  const { compilation } = part;
  const { decision, headline } = verdictOn(part, sample, now);
  // The entry with the error may be the one that accepts this issuer.
  const isOpen = decision?.kind === 'noOpinion' && compilation.graph === undefined;
  return {
    decision: isOpen ? undefined : decision,
    node: authenticatorOf(compilation, sample.claims),
    domain: draftDomain(compilation),
    headline,
  };
};

const noOpinion: Decision = { kind: 'noOpinion' };
