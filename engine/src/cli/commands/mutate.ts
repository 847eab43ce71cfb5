/** `authgraph mutate PATH…`: changes configurations and reports which changes no test notices. */
import { isTestFile } from '../../simulate/tests/test-rows.ts';
import { painter, wantsColor } from '../color.ts';
import {
  type CommandArguments,
  defineCommand,
  fail,
  outFlag,
  outputFlag,
  printError,
  stringFlag,
  targetVersionFlag,
  writeResult,
} from '../command.ts';
import { failUnderFlag, percentMisuse } from '../coverage/coverage-flags.ts';
import { percentText } from '../coverage/file-coverage.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import type { MutatedFile } from '../mutation/mutated-file.ts';

export const mutate = defineCommand({
  name: 'mutate',
  usage: '[flags] [FILE|FOLDER…]',
  about:
    'Changes the configurations of test files (*.authtest.yaml) in small ways, for example drops a rule or a prefix, and runs the cases with each change. A change that no case notices is reported with a token that it lets in, or that would become another user; a change that cannot be noticed by any token is proved to be equivalent and does not count. In a folder, every test file is used; without arguments, those of the current folder.',
  flags: [
    {
      ...failUnderFlag,
      doc: 'Exit with 1 if the mutation score is below this percentage.',
    },
    stringFlag(
      'Input',
      'incremental-file',
      'FILE',
      'Reuse the results in this file for mutants whose configuration and cases have not changed, and write it again.',
    ),
    {
      ...outputFlag,
      doc: 'Output format: text for people, or JSON in the format of Stryker (mutation-testing-report-schema).',
    },
    outFlag,
    targetVersionFlag,
  ],
  examples: [
    { line: 'authgraph mutate', does: 'the test files in the current folder' },
    {
      line: 'authgraph mutate clusters/ --fail-under 90 --incremental-file .authgraph-mutation.json',
      does: 'in CI; unchanged mutants are not run again',
    },
    { line: 'authgraph mutate -o json --out mutation.json', does: "for Stryker's report" },
  ],
  operands: [0, Number.POSITIVE_INFINITY],
  readsBelow: isTestFile,
  run: (read, io) => runMutate(read, io),
});

const runMutate = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values, operands } = read;
  const problem = percentMisuse(values);
  if (problem !== undefined) return read.misuse(problem);
  const paths = operands.length === 0 ? ['.'] : operands;
  const { mutateFiles } = await import('../mutation/mutate-files.ts');
  const files = await mutateFiles(paths, read, io);
  await writeResult(await report(files, read, io), read, io);
  const { mutationScore } = await import('../../simulate/mutation/mutation-score.ts');
  const { score } = mutationScore(files.flatMap(({ results }) => results));
  const least = values.number('fail-under');
  if (io.signal.aborted) return fail(io, 'interrupted before all mutants were run');
  if (score >= least) return exitCodes.ok;
  printError(
    io,
    `the mutation score is ${percentText(score)}, which is less than --fail-under ${least}`,
  );
  return exitCodes.problems;
};

const report = async (
  files: readonly MutatedFile[],
  { values }: CommandArguments,
  io: Io,
): Promise<string> => {
  if (values.string('output') === 'json') {
    const { mutationData } = await import('../mutation/mutation-data.ts');
    return `${JSON.stringify(mutationData(files), undefined, 2)}\n`;
  }
  const { mutationText } = await import('../mutation/mutation-text.ts');
  const isPrinted = values.string('out') === '-';
  const color = isPrinted && wantsColor(values.string('color'), io.stdout, io);
  return mutationText(files, painter(color));
};
