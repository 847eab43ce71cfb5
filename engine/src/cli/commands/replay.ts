/** `authgraph replay LOG… --config NEW`: shows how a configuration would decide the tokens of decision logs. */
import { hashGraph } from '../../compile/artifact.ts';
import { toPrintable } from '../../diagnostics/printable.ts';
import { nodeDigest } from '../../node/digest.ts';
import { secretFileWarnings } from '../../node/file-modes.ts';
import { pseudonymizer } from '../../node/pseudonyms.ts';
import { painter, wantsColor } from '../color.ts';
import {
  type CommandArguments,
  configFlag,
  defineCommand,
  fail,
  oneStandardInput,
  outFlag,
  outputFlag,
  targetVersionFlag,
  writeResult,
} from '../command.ts';
import { readPseudonymKey } from '../decision-claims.ts';
import {
  failOnChangeFlag,
  failOnChangeMisuse,
  kindNames,
  kindsOfFlag,
} from '../diff/change-flags.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { loadGraph } from '../load-graph.ts';
import type { ReplayReport } from '../replay/replay-report.ts';

export const replayCommand = defineCommand({
  name: 'replay',
  usage: '[flags] LOG… --config NEW',
  about:
    'Re-evaluates the tokens in decision logs with another configuration, and shows who would gain access, lose it or get another identity, with the field that causes it. The server writes such logs with --decision-log-claims. Times are those of the log; signatures are not checked again. A decision that depends on a value that the log does not contain is undecided. Decisions that no JWT authenticator made are skipped and counted.',
  flags: [
    {
      ...configFlag,
      doc: 'The new configuration: a file, an artifact, or a file of a Git revision.',
    },
    {
      name: 'old',
      group: 'Input',
      placeholder: 'FILE',
      doc: 'The configuration that wrote the log. More decisions can be compared with it.',
    },
    {
      name: 'key-file',
      group: 'Input',
      placeholder: 'FILE',
      doc: 'The file of --decision-log-claims-key-file. With it, strings of the new configuration are compared with pseudonyms.',
    },
    {
      ...failOnChangeFlag,
      placeholder: 'gain,lose,change,undecided|never',
      choices: [...kindNames, 'undecided', 'never'],
      doc: 'Results that cause the exit status 1, separated by commas.',
    },
    { ...outputFlag, choices: ['text', 'json', 'markdown'] },
    outFlag,
    targetVersionFlag,
  ],
  examples: [
    {
      line: 'authgraph replay decisions.jsonl --config new.yaml --old auth.yaml',
      does: 'what an edit would have changed for the tokens of a log',
    },
    {
      line: 'authgraph replay decisions-*.jsonl.gz -c auth.yaml --old HEAD:auth.yaml -o markdown',
      does: 'the comment for a pull request',
    },
  ],
  operands: [1, 10_000],
  missing: 'specify a decision log, or - for standard input',
  run: (read, io) => runReplay(read, io),
});

const runReplay = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values, operands, misuse } = read;
  const path = values.string('config');
  const oldPath = values.string('old');
  if (path === '') return misuse('specify the new configuration with --config');
  const inputs = [path, oldPath, ...operands];
  if (inputs.filter((name) => name === '-').length > 1) return misuse(oneStandardInput);
  const failOn = values.list('fail-on');
  const wrongFailOn = failOnChangeMisuse('fail-on', failOn);
  if (wrongFailOn !== undefined) return misuse(wrongFailOn);
  const after = await loadSide(read, path, io);
  const before = oldPath === '' ? undefined : await loadSide(read, oldPath, io);
  const pseudonym = await pseudonymOf(values.string('key-file'), io);
  const { replayFiles } = await import('../replay/replay-files.ts');
  const result = await replayFiles(operands, { after, before, pseudonym }, io);
  if ('reason' in result) return fail(io, result.reason);
  const report: ReplayReport = {
    result,
    sources: { before: before?.source, after: after.source },
    origins: { before: before?.origins, after: after.origins },
  };
  await writeResult(await formatReport(report, read, io), read, io);
  if (result.decisions === 0) return fail(io, 'the logs contain no decisions about JWTs');
  const { counts } = result;
  const isBad =
    (failOn.includes('undecided') && counts.undecided > 0) ||
    kindsOfFlag(failOn).some((kind) => counts[kind] > 0);
  return isBad ? exitCodes.problems : exitCodes.ok;
};

const loadSide = async (read: CommandArguments, path: string, io: Io) => {
  const { graph, loaded } = await loadGraph(read, path, io, exitCodes.failed);
  return {
    graph,
    hash: hashGraph(graph, nodeDigest()),
    origins: loaded.kind === 'compiled' ? loaded.compilation.origins : undefined,
    source: loaded.kind === 'compiled' ? loaded : undefined,
  };
};

const pseudonymOf = async (
  path: string,
  io: Io,
): Promise<((text: string) => string) | undefined> => {
  if (path === '') return undefined;
  for (const warning of await secretFileWarnings([path])) {
    io.stderr.write(`warning: ${toPrintable(warning)}\n`);
  }
  const read = await readPseudonymKey(path);
  return 'reason' in read ? fail(io, read.reason) : pseudonymizer(read.key);
};

const formatReport = async (
  report: ReplayReport,
  { values }: CommandArguments,
  io: Io,
): Promise<string> => {
  switch (values.string('output')) {
    case 'json': {
      const { replayData } = await import('../replay/replay-data.ts');
      return `${JSON.stringify(replayData(report), undefined, 2)}\n`;
    }
    case 'markdown': {
      const { replayMarkdown } = await import('../replay/replay-markdown.ts');
      return replayMarkdown(report);
    }
    default: {
      const { replayText } = await import('../replay/replay-text.ts');
      const isTerminal = values.string('out') === '-';
      return replayText(
        report,
        painter(isTerminal && wantsColor(values.string('color'), io.stdout, io)),
      );
    }
  }
};
