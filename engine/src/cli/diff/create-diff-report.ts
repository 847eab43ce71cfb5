/** Compares two configurations: the decisions about all tokens, about samples and about corpora. */
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { compareAccess } from '../../simulate/access/compare-access.ts';
import { linkComparer } from '../../simulate/difference/compare-claim-sets.ts';
import { type AccessChange, accessChange } from '../../simulate/difference/diff.ts';
import { fail } from '../command.ts';
import type { Io } from '../io.ts';
import { readClaimsArgument, sampleName } from '../read-claims.ts';
import type { DiffReport } from './diff-report.ts';
import type { DiffSides } from './diff-sides.ts';

interface ComparedInputs {
  /** Files of claims, or claims themselves. */
  readonly samples: readonly string[];
  /** The files of claim sets, each of which is read as a stream. */
  readonly corpora: readonly string[];
  readonly io: Io;
}

export const createDiffReport = async (
  sides: DiffSides,
  { samples, corpora, io }: ComparedInputs,
): Promise<DiffReport> => {
  const { names, sources, before, after } = sides;
  return {
    names,
    sources,
    comparison: compareAccess(before, after),
    samples: await compareSamples(sides, samples, io),
    corpora: await compareCorpora(sides, corpora, io),
  };
};

const compareSamples = async (
  { before, after }: DiffSides,
  samples: readonly string[],
  io: Io,
): Promise<readonly AccessChange[]> => {
  const changes: AccessChange[] = [];
  const compare = linkComparer(before.graph, after.graph);
  // Sequential, because standard input can be read only once.
  for (const sample of samples) {
    const compared = compare(await readClaimsArgument(sample, io));
    changes.push(accessChange(sampleName(sample), compared.before, compared.after));
  }
  return changes;
};

const compareCorpora = async (
  { before, after }: DiffSides,
  files: readonly string[],
  io: Io,
): Promise<DiffReport['corpora']> => {
  if (files.length === 0) return [];
  const { corpusReport } = await import('./corpus-report.ts');
  const graphs: Readonly<Record<'before' | 'after', AuthenticatorGraph>> = {
    before: before.graph,
    after: after.graph,
  };
  const reports: DiffReport['corpora'][number][] = [];
  for (const file of files) {
    const report = await corpusReport(file, graphs, io);
    if ('reason' in report) return fail(io, report.reason, report.help);
    reports.push(report);
  }
  return reports;
};
