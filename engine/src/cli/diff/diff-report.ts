/** What `authgraph diff` found, for all output formats, and whether it makes the command fail. */
import { formatCount } from '../../formats/counted.ts';
import type { AccessChangeKind, AccessComparison } from '../../simulate/access/access-result.ts';
import type { SourcesOfSides } from '../../simulate/access/access-text.ts';
import { type AccessChange, changeSummary } from '../../simulate/difference/diff.ts';
import {
  addSystemGroupGains,
  fullControlSentences,
  systemGroupGains,
  systemGroupSentences,
} from '../../simulate/difference/system-groups.ts';
import type { CorpusResult } from './corpus-result.ts';

export interface DiffReport {
  /** The names of the two configurations. */
  readonly names: { readonly before: string; readonly after: string };
  readonly sources: SourcesOfSides;
  readonly comparison: AccessComparison;
  readonly samples: readonly AccessChange[];
  readonly corpora: readonly CorpusReport[];
}

/** What the claim sets of one file show. */
export interface CorpusReport {
  readonly file: string;
  readonly result: CorpusResult;
  /** The changes of the examples. */
  readonly examples: readonly (AccessChange & { readonly line: number })[];
}

/** The values of `--fail-on` and `--require-proof`, with the kind of each. */
export const kindsByFlag: ReadonlyMap<string, AccessChangeKind> = new Map([
  ['gain', 'gained'],
  ['lose', 'lost'],
  ['change', 'changed'],
]);

/** Returns whether a kind of change was found in any way. */
const isFound = ({ comparison, samples, corpora }: DiffReport, kind: AccessChangeKind): boolean =>
  comparison.verdicts[kind].kind === 'found' ||
  samples.some((sample) => sample.kind === kind) ||
  corpora.some(({ result }) => result.counts[kind] > 0);

/** The kinds of changes that make the command fail. */
export interface FailureKinds {
  readonly failOn: readonly AccessChangeKind[];
  readonly requireProof: readonly AccessChangeKind[];
}

export const isFailure = (report: DiffReport, { failOn, requireProof }: FailureKinds): boolean =>
  failOn.some((kind) => isFound(report, kind)) ||
  requireProof.some((kind) => report.comparison.verdicts[kind].kind !== 'proved');

/** Returns whether a configuration that only one side has makes the command fail: all of its users gain or lose access. */
export const failsAlone = (
  kind: 'added' | 'removed',
  { failOn, requireProof }: FailureKinds,
): boolean => [...failOn, ...requireProof].includes(kind === 'added' ? 'gained' : 'lost');

/**
 * Returns one sentence about the samples and claim sets, such as `3 of 40 samples lose access, 37 stay the same`, and
 * others about full control of the cluster and about other groups that start with `system:`.
 */
export const summarySentences = (report: DiffReport): readonly string[] => [
  ...(report.samples.length === 0 ? [] : [changeSummary(report.samples)]),
  ...report.corpora.flatMap(({ file, result }) =>
    [corpusSummary(result), ...skippedSentences(result.skipped)].map((one) => `${file}: ${one}`),
  ),
  ...fullControlOf(report),
  ...systemGroupsOf(report),
];

/** Returns `3 of 100,000 claim sets lose access, 1 gains access`. */
const corpusSummary = ({ claimSets, counts, undecided }: CorpusResult): string => {
  const sentences = [
    { of: counts.lost, one: 'loses access', many: 'lose access' },
    { of: counts.gained, one: 'gains access', many: 'gain access' },
    { of: counts.changed, one: 'changes', many: 'change' },
    { of: undecided, one: 'is undecided', many: 'are undecided' },
  ].filter(({ of }) => of > 0);
  if (claimSets === 0) return noClaimSets;
  const total = countedClaimSets(claimSets);
  if (sentences.length === 0) return `nothing changes for ${total}`;
  return sentences
    .map(({ of, one, many }, index) => {
      const who = index === 0 ? `${formatCount(of)} of ${total}` : formatCount(of);
      return `${who} ${of === 1 ? one : many}`;
    })
    .join(', ');
};

/** The warning about a corpus without claim sets, which is most likely not the intended file. */
export const noClaimSets = 'the corpus has no claim sets, so it shows no changes';

/** Returns `100,000 claim sets`. */
export const countedClaimSets = (count: number): string =>
  `${formatCount(count)} claim ${count === 1 ? 'set' : 'sets'}`;

/** Returns `1 decision` or `1,204 decisions`. */
export const countedDecisions = (count: number): string =>
  `${formatCount(count)} decision${count === 1 ? '' : 's'}`;

/** Returns the sentence about decisions of a log that no JWT authenticator made, if there are any. */
export const skippedSentences = (count: number): readonly string[] => {
  if (count === 0) return [];
  const [be, whom] = count === 1 ? ['was', 'it'] : ['were', 'them'];
  return [`${countedDecisions(count)} ${be} skipped: no JWT authenticator made ${whom}`];
};

const nounOf = ({ corpora }: DiffReport): string => (corpora.length > 0 ? 'claim set' : 'sample');

const systemGroupsOf = (report: DiffReport): readonly string[] =>
  systemGroupSentences(report.comparison.verdicts, {
    known: addSystemGroupGains([
      ...report.samples.map(({ gainedSystemGroups }) => systemGroupGains(gainedSystemGroups)),
      ...report.corpora.map(({ result }) => result.systemGroups),
    ]),
    noun: nounOf(report),
  });

const fullControlOf = (report: DiffReport): readonly string[] =>
  fullControlSentences(report.comparison, {
    known:
      report.samples.filter((sample) => sample.gainsFullControl).length +
      report.corpora.reduce((sum, { result }) => sum + result.fullControl, 0),
    noun: nounOf(report),
  });
