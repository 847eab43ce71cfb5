/** `authgraph report FILE`: writes one HTML page with everything that a reviewer of a configuration needs. */
import { isTestFile } from '../../simulate/tests/test-rows.ts';
import {
  type CommandArguments,
  defineCommand,
  fail,
  outFlag,
  stringFlag,
  targetVersionFlag,
  writeResult,
} from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { claimsDoc } from '../read-claims.ts';

export const reportCommand = defineCommand({
  name: 'report',
  usage: '[flags] FILE',
  about:
    'Writes one HTML page about a configuration, to attach to a change request: the findings of check, the graph as a picture, the user of each sample and test case, the results and the coverage of its tests and, with --base, who gains or loses access. The page loads nothing and runs no script.',
  flags: [
    stringFlag(
      'Input',
      'base',
      'FILE',
      'The configuration before the change, for the access difference: a file, an artifact, or a file of a Git revision such as HEAD:auth.yaml.',
    ),
    {
      name: 'tests',
      group: 'Input',
      type: 'stringArray',
      placeholder: 'FILE|FOLDER',
      doc: 'Test files of the configuration, or folders with them. May be repeated. Without it, those in the folder of the configuration.',
    },
    {
      name: 'claims',
      group: 'Input',
      type: 'stringArray',
      placeholder: 'FILE',
      doc: `${claimsDoc} May be repeated. Without it, the sampleFolders of .authgraph.yaml.`,
    },
    {
      name: 'mutate',
      group: 'Output',
      type: 'bool',
      doc: 'Add the small changes of the configuration that no test notices.',
    },
    outFlag,
    targetVersionFlag,
  ],
  examples: [
    { line: 'authgraph report auth.yaml --out report.html', does: 'the page of a configuration' },
    {
      line: 'authgraph report auth.yaml --base origin/main:auth.yaml --out report.html',
      does: 'with who gains or loses access by the change',
    },
    {
      line: 'authgraph report auth.yaml --tests tests/ --claims jane.claims.json --mutate --out report.html',
      does: 'with tests of another folder, a sample and the mutation score',
    },
  ],
  operands: [1, 1],
  readsBelow: isTestFile,
  missing: 'specify a configuration file',
  run: (read, io) => runReport(read, io),
});

const runReport = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const [path = ''] = read.operands;
  const inputs = [path, read.values.string('base')];
  if (inputs.includes('-'))
    return read.misuse('a report needs files: standard input cannot be used');
  const { createReport } = await import('../report/create-report.ts');
  const report = await createReport(read, path, io);
  if (io.signal.aborted) return fail(io, 'interrupted before the report was complete');
  const { reportHtml } = await import('../report/report-html.ts');
  await writeResult(reportHtml(report), read, io);
  const { isBadReport } = await import('../report/report-summary.ts');
  return isBadReport(report) ? exitCodes.problems : exitCodes.ok;
};
