/** What an edit that is not saved yet does to every sample: who gains, loses, becomes another. */
import {
  type AccessChange,
  accessChange,
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
  takerOf,
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
import type { Feature } from './feature.ts';
import { pairVersions, type Versions } from './pair-versions.ts';
import { askedParts } from './requested-parts.ts';
import { askedSamples } from './requested-samples.ts';
import { verdictOn } from './sample-verdict.ts';
import { claimsPath, configPath } from './whoami-command.ts';

export const change: Feature = {
  capabilities: {},
  register(connection, answering) {
    connection.onRequest(
      changeRequest,
      answering.awaited((params: ChangeParams) => changeReport(answering.workspace, params), {
        rows: [],
        summary: '',
        problem: problems.failed,
      }),
    );
  },
};

export const changeReport = async (
  workspace: Workspace,
  { uri, against, revision }: ChangeParams,
): Promise<ChangeReport> => {
  if (uri === '') return none(problems.noneOpen);
  await workspace.searched();
  const text = against ?? (await workspace.saved(uri));
  if (text === undefined) return none(problems.notSaved);
  const asked = askedSamples(workspace.samples, 'all');
  if (asked.problem !== undefined) return none(asked.problem);
  const { parts: after, problem: lack } = await askedParts(workspace, uri);
  if (lack === problems.notAnalyzed) return none(lack);
  const before = await workspace.partsOf(uri, text);
  if (before === 'stopped') return none(problems.otherNotAnalyzed);
  if (before.length === 0 && lack !== undefined) return none(lack);
  const pairs = pairVersions(before, after);
  const names = configurationNames(
    pairs.map((pair) => ({ name: (pair.after ?? pair.before)?.name })),
  );
  const found = pairs.flatMap((versions, index) => {
    const configuration = names[index] ?? { index };
    return asked.samples.map((sample) => {
      const change = changeOf(sample, { versions, configuration, now: workspace.now() });
      return { sample, change };
    });
  });
  const changes = asked.samples.flatMap((sample): readonly SampleChange[] => {
    const own = found.filter((one) => one.sample === sample).map(({ change }) => change);
    const decided = own.filter((change) => typeof change !== 'string');
    // Who is undecided in one of them may get in there.
    if (decided.length < own.length) return [];
    return [{ name: sample.name, ...changeThroughout(decided) }];
  });
  const rows = found.flatMap(({ change }) => (typeof change === 'string' ? [] : [change.row]));
  const undecided = found
    .map(({ change }) => change)
    .filter((change) => typeof change === 'string');
  const problem = [...new Set(undecided)].join('; ');
  const commandLine = commandOf(workspace, after, {
    samples: asked.samples,
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

/** Of a file that is a configuration as a whole, and for the samples that are files. */
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

const none = (problem: string): ChangeReport => ({ rows: [], summary: '', problem });

type SampleChange = Pick<AccessChange, 'name' | 'kind' | 'isIn'>;

interface FoundChange extends Pick<AccessChange, 'kind' | 'isIn'> {
  readonly row: ChangeRow;
}

interface Comparison {
  readonly versions: Versions<ConfigurationPart>;
  readonly configuration: ConfigurationName;
  readonly now: number;
}

/** A text where an error keeps the sample from being decided. */
const changeOf = (
  sample: Sample,
  { versions, configuration, now }: Comparison,
): FoundChange | string => {
  const { id, name, claims } = sample;
  const was = sideOf(versions.before, sample);
  const is = sideOf(versions.after, sample);
  if (was.decision === undefined) return problems.hadErrors;
  if (is.decision === undefined) return problems.hasErrors;
  const [wasHeld, isHeld] = heldToAudience(
    claims,
    { decision: was.decision, node: was.node },
    { decision: is.decision, node: is.node },
  );
  const { kind, isIn, ...told } = accessChange(name, wasHeld, isHeld);
  const yaml = (decision: Decision, domain: string | undefined) =>
    decisionYaml(decision, { domain: domain ?? was.domain ?? is.domain ?? '', now });
  const row: ChangeRow = {
    sample: { id, name },
    configuration,
    kind,
    before: was.refusal ?? told.before,
    after: is.refusal ?? told.after,
    details: told.details,
    beforeYaml: yaml(wasHeld, was.domain),
    afterYaml: yaml(isHeld, is.domain),
  };
  return { kind, isIn, row };
};

interface Side {
  readonly decision: Decision | undefined;
  readonly node: DecidedSide['node'];
  readonly domain: string | undefined;
  /** The headline, where the signature of the token refuses. */
  readonly refusal?: string;
}

const sideOf = (part: ConfigurationPart | undefined, sample: Sample): Side => {
  if (part === undefined) return { decision: nobody, node: undefined, domain: undefined };
  const { compilation } = part;
  const { decision, headline, signature } = verdictOn(compilation, sample);
  // The issuer that nobody takes may be the one that is being written.
  const isOpen = decision?.kind === 'noOpinion' && compilation.graph === undefined;
  return {
    decision: isOpen ? undefined : decision,
    node: takerOf(compilation, sample.claims),
    domain: draftDomain(compilation),
    ...(signature === undefined ? {} : { refusal: headline }),
  };
};

const nobody: Decision = { kind: 'noOpinion' };
