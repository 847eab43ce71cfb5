/** Compares the claim sets of a file, shows the progress on a terminal, and describes the first changes. */
import { accessChangeKinds } from '../../simulate/access/access-result.ts';
import { accessChange } from '../../simulate/difference/diff.ts';
import { withClaimNames } from '../../simulate/replay/recorded-claims.ts';
import { escapeUnprintable } from '../../source/unprintable.ts';
import type { FileFailure, Io } from '../io.ts';
import { progressBar, streamFailure } from '../stream-files.ts';
import { type CorpusOptions, compareCorpus } from './compare-corpus.ts';
import { linkOneLineComparer } from './compare-lines.ts';
import type { CorpusResult } from './corpus-result.ts';
import { type CorpusReport, countedClaimSets, noClaimSets } from './diff-report.ts';

export const corpusReport = async (
  path: string,
  graphs: Pick<CorpusOptions, 'before' | 'after'>,
  io: Io,
): Promise<CorpusReport | Omit<FileFailure, 'kind'>> => {
  const file = path === '-' ? 'standard-input' : path;
  const onProgress = progressBar(file, io, countedClaimSets);
  const result = await compareFile(path, { ...graphs, ...(onProgress && { onProgress }) }, io);
  if ('reason' in result) return { reason: `${escapeUnprintable(file)}: ${result.reason}` };
  const { problem } = result;
  if (problem !== undefined) {
    return {
      reason: `${escapeUnprintable(file)}:${problem.line}: ${problem.message}`,
      help: 'Each line of a corpus is a JSON object of claims, such as {"iss": "https://idp.example.com", "sub": "jane"}, or a line of a decision log.',
    };
  }
  if (result.claimSets === 0)
    io.stderr.write(`warning: ${escapeUnprintable(file)}: ${noClaimSets}\n`);
  const compare = linkOneLineComparer(graphs.before, graphs.after);
  const examples = accessChangeKinds.flatMap((kind) =>
    result.examples[kind].flatMap(({ line, text }) => {
      const comparison = compare(new TextEncoder().encode(text));
      if (comparison.kind === 'problem') return [];
      const outcome = comparison.outcomes.find((one) => one.kind === kind);
      if (outcome === undefined || outcome.kind === 'undecided') return [];
      const before = withClaimNames(outcome.before);
      const after = withClaimNames(outcome.after);
      return [{ line, ...accessChange(`${file}:${line}`, before, after), kind }];
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
    return { reason: await streamFailure(path, cause, io) };
  } finally {
    if (io.stderr.isTerminal) io.stderr.replaceLine('');
  }
};
