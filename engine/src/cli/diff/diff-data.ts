/** Converts the comparison of two configurations to JSON; see docs/schema/diff.v2.json. */
import { accessChangeKinds } from '../../simulate/access/access-result.ts';
import { lockOutOf } from '../../simulate/difference/diff.ts';
import { causeData, undecidedData } from '../access-data.ts';
import { userData } from '../decision-data.ts';
import { type DiffReport, noClaimSets, summarySentences } from './diff-report.ts';

/** Incremented when the format changes incompatibly. */
const diffVersion = 2;

export const diffData = (report: DiffReport): object => {
  const { comparison, samples, corpora, sources } = report;
  const { verdicts, settings, evaluations, fullControl } = comparison;
  const lockOut = lockOutOf(samples);
  const summary = summarySentences(report).join('; ');
  return {
    version: diffVersion,
    ...(summary === '' ? {} : { summary }),
    changes: accessChangeKinds.flatMap((kind) => {
      const verdict = verdicts[kind];
      if (verdict.kind !== 'found') return [];
      return verdict.changes.map((change) => ({
        kind,
        witness: change.witness,
        before: userData(change.before),
        after: userData(change.after),
        cause: change.cause.map((one) => causeData(one, sources)),
      }));
    }),
    proved: accessChangeKinds.filter((kind) => verdicts[kind].kind === 'proved'),
    undecided: accessChangeKinds.flatMap((kind) => {
      const verdict = verdicts[kind];
      if (verdict.kind !== 'undecided') return [];
      return verdict.reasons.map((reason) => ({ kind, ...undecidedData(reason, sources) }));
    }),
    ...(fullControl === undefined ? {} : { fullControl }),
    settings,
    evaluations,
    ...(lockOut === undefined ? {} : { lockOut }),
    samples: samples.map(sampleData),
    corpora: corpora.map(({ file, result, examples }) => ({
      file,
      claimSets: result.claimSets,
      ...(result.claimSets === 0 ? { warning: noClaimSets } : {}),
      ...result.counts,
      undecided: result.undecided,
      skipped: result.skipped,
      fullControl: result.fullControl,
      examples: examples.map(({ line, ...change }) => ({ line, ...sampleData(change) })),
    })),
  };
};

const sampleData = ({
  name,
  kind,
  before,
  after,
  details,
}: DiffReport['samples'][number]): object => ({ name, kind, before, after, details });
