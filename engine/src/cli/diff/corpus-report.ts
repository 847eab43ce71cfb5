/** Compares the claim sets of a file, shows the progress on a terminal, and describes the first changes. */
import { readClaims } from '../../signed-token/payload.ts';
import { linkComparer } from '../../simulate/difference/compare-claim-sets.ts';
import { accessChange } from '../../simulate/difference/diff.ts';
import { escapeUnprintable } from '../../source/unprintable.ts';
import type { FileFailure, Io } from '../io.ts';
import { type CorpusOptions, type CorpusProgress, compareCorpus } from './compare-corpus.ts';
import { type CorpusResult, changeKinds } from './corpus-result.ts';
import { type CorpusReport, countedClaimSets } from './diff-report.ts';
import { LongLineError } from './line-blocks.ts';

export const corpusReport = async (
  path: string,
  graphs: Pick<CorpusOptions, 'before' | 'after'>,
  io: Io,
): Promise<CorpusReport | Omit<FileFailure, 'kind'>> => {
  const file = path === '-' ? 'standard-input' : path;
  const result = await compareFile(path, { ...graphs, ...progressBar(file, io) }, io);
  if ('reason' in result) return { reason: `${escapeUnprintable(file)}: ${result.reason}` };
  const { problem } = result;
  if (problem !== undefined) {
    return {
      reason: `${escapeUnprintable(file)}:${problem.line}: ${problem.message}`,
      help: 'Each line of a corpus is a JSON object of claims, such as {"iss": "https://idp.example.com", "sub": "jane"}.',
    };
  }
  const compare = linkComparer(graphs.before, graphs.after);
  const examples = changeKinds.flatMap((kind) =>
    result.examples[kind].flatMap(({ line, text }) => {
      const claims = readClaims(new TextEncoder().encode(text));
      if (claims === undefined) return [];
      const { before, after } = compare(claims);
      return [{ line, ...accessChange(`${file}:${line}`, before, after) }];
    }),
  );
  return { file, result, examples };
};

const compareFile = async (
  path: string,
  options: CorpusOptions,
  io: Io,
): Promise<CorpusResult | { readonly reason: string }> => {
  try {
    return await compareCorpus(path, options);
  } catch (cause) {
    if (cause instanceof LongLineError) return { reason: cause.message };
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    // `Io` has the wording of kube-apiserver for errors of files.
    const read = await io.readText(path, 0);
    return {
      reason: read.kind === 'failure' && read.isTooLarge !== true ? read.reason : cause.message,
    };
  } finally {
    if (io.stderr.isTerminal) io.stderr.replaceLine('');
  }
};

/** Redraws the bar at most ten times per second. */
const redrawMs = 100;
const barWidth = 30;

const progressBar = (file: string, io: Io): Pick<CorpusOptions, 'onProgress'> => {
  if (!io.stderr.isTerminal) return {};
  let drawn = 0;
  return {
    onProgress({ bytes, total, claimSets }: CorpusProgress) {
      const now = performance.now();
      if (now - drawn < redrawMs) return;
      drawn = now;
      const count = countedClaimSets(claimSets);
      const name = escapeUnprintable(file).slice(-barWidth);
      if (total === undefined || total === 0) io.stderr.replaceLine(`${name}  ${count}`);
      else {
        const share = Math.min(1, bytes / total);
        const filled = Math.round(share * barWidth);
        const bar = '#'.repeat(filled).padEnd(barWidth, '.');
        io.stderr.replaceLine(`${name}  [${bar}] ${Math.floor(share * 100)} %  ${count}`);
      }
    },
  };
};
