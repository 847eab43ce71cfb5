/** What a change of a document changes for each sample: the view and the Markdown report show it. */
import {
  type AccessChange,
  accessChange,
  authenticatorOf,
  type ClaimSet,
  changeThroughout,
  type DecidedSide,
  type Decision,
  decisionYaml,
  draftDomain,
  heldToAudience,
} from '@authgraph/engine/language';
import type { ChangeParams, ChangeRow, ConfigurationName } from '../protocol.ts';
import type { Sample } from '../samples.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import type { ComparedVersions } from './compared-versions.ts';
import { earlierClaims } from './earlier-samples.ts';
import type { Versions } from './pair-versions.ts';
import { verdictOn } from './sample-verdict.ts';
import { placeMember } from './whoami.ts';

/** The change of a sample in one configuration. */
export interface ComparedSample {
  readonly access: AccessChange;
  readonly row: ChangeRow;
}

export interface SampleComparison {
  readonly sample: Sample;
  /** The index of the configuration. */
  readonly index: number;
  /** A message if an error in the configuration leaves the sample undecided. */
  readonly change: ComparedSample | string;
}

/** Compares samples in each configuration of a document. */
export const compareSamples = async (
  workspace: Workspace,
  samples: readonly Sample[],
  {
    compared: { pairs, names },
    params,
  }: {
    readonly compared: Pick<ComparedVersions, 'pairs' | 'names'>;
    readonly params: Pick<ChangeParams, 'against' | 'samples'>;
  },
): Promise<readonly SampleComparison[]> => {
  const earlier = await earlierClaims(workspace, samples, params);
  return pairs.flatMap((versions, index) => {
    const configuration = names[index] ?? { index };
    return samples.map((sample) => {
      const comparison = { versions, configuration, now: workspace.now() };
      return { sample, index, change: changeSince(earlier.get(sample.id), sample, comparison) };
    });
  });
};

export type SampleChange = Pick<AccessChange, 'name' | 'kind' | 'isIn'>;

/**
 * Returns the change of each sample across all configurations. A sample that is undecided in one of
 * them has none, because it may gain access there.
 */
export const changesThroughout = (
  comparisons: readonly SampleComparison[],
): ReadonlyMap<Sample, SampleChange> => {
  const bySample = new Map<Sample, (ComparedSample | string)[]>();
  for (const { sample, change } of comparisons) {
    const changes = bySample.get(sample);
    if (changes === undefined) bySample.set(sample, [change]);
    else changes.push(change);
  }
  return new Map(
    [...bySample].flatMap(([sample, changes]): readonly (readonly [Sample, SampleChange])[] => {
      const decided = changes.filter((change) => typeof change !== 'string');
      if (decided.length < changes.length) return [];
      const change = changeThroughout(decided.map(({ access }) => access));
      return [[sample, { name: sample.name, ...change }]];
    }),
  );
};

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
    change.access.kind === 'same' &&
    typeof changeOfEarlier !== 'string' &&
    changeOfEarlier.access.kind === 'same';
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
  const access = accessChange(name, beforeDecided, afterDecided);
  const yaml = (decision: Decision, domain: string | undefined) =>
    decisionYaml(decision, { domain: domain ?? beforeSide.domain ?? afterSide.domain ?? '', now });
  const row: ChangeRow = {
    sample: { id, name },
    configuration,
    kind: access.kind,
    before: (beforeDecided === beforeSide.decision && beforeSide.headline) || access.before,
    after: (afterDecided === afterSide.decision && afterSide.headline) || access.after,
    details: access.details,
    ...(access.kind === 'lost' ? placeOfLoss(versions, beforeSide, afterDecided) : {}),
    beforeYaml: yaml(beforeDecided, beforeSide.domain),
    afterYaml: yaml(afterDecided, afterSide.domain),
  };
  return { access, row };
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
