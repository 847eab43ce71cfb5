/** `authgraph fleet FOLDER…`: check, tests and access difference of many configurations, and drift of servers. */
import { redactSecrets } from '../../source/redact-secrets.ts';
import { apiDomainFlag } from '../check-settings.ts';
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
  tokenFileFlag,
  writeResult,
} from '../command.ts';
import {
  failOnChangeFlag,
  failOnChangeMisuse,
  kindsOfFlag,
  requireProofFlag,
} from '../diff/change-flags.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { showFileProgress } from '../file-progress.ts';
import type { FailureConditions, FleetReport } from '../fleet/fleet-report.ts';
import type { Io } from '../io.ts';
import { failOnFlag } from '../severity-counts.ts';

export const fleet = defineCommand({
  name: 'fleet',
  usage: '[flags] [FOLDER…]',
  about:
    'Checks all configurations of folders and prints one matrix: for each configuration its target release, the problems that check reports, the results of its test files (*.authtest.yaml), with --base who gains or loses access, and the hash that a server reports for it. With --metrics it compares these hashes with the metrics of servers and reports the servers that run something else. Each configuration has the target release of its .authgraph.yaml, unless --target-version sets it. Without arguments, the current folder.',
  flags: [
    {
      ...outputFlag,
      choices: ['text', 'json', 'markdown'],
    },
    outFlag,
    failOnFlag,
    { ...failOnChangeFlag, name: 'fail-on-change' },
    requireProofFlag,
    stringFlag(
      'Input',
      'base',
      'REVISION|FOLDER',
      'Compare who gets access with a Git revision, such as origin/main, or with another folder.',
    ),
    {
      name: 'metrics',
      group: 'Servers',
      type: 'stringArray',
      placeholder: 'FILE|URL',
      doc: 'Metrics of a server in the text format of Prometheus: a file, - for standard input, or the URL of kube-apiserver, authgraph serve or a federating Prometheus. May be repeated.',
    },
    {
      ...tokenFileFlag,
      group: 'Servers',
      doc: 'File with a token for the URLs of --metrics; it is sent to all of them.',
    },
    stringFlag(
      'Servers',
      'certificate-authority',
      'FILE',
      'Certificates of the authorities for the URLs of --metrics; those of the system if not set.',
    ),
    {
      ...targetVersionFlag,
      default: '',
      placeholder: '1.34,1.36,…',
      doc: 'Releases of kube-apiserver to emulate, separated by commas, instead of those of the settings files.',
    },
    apiDomainFlag,
  ],
  examples: [
    {
      line: 'authgraph fleet clusters/',
      does: 'check and test every configuration below a folder',
    },
    {
      line: 'authgraph fleet clusters/ --base origin/main -o markdown',
      does: 'who gains or loses access in each cluster, as the comment of a pull request',
    },
    {
      line: 'authgraph fleet clusters/ --target-version 1.34,1.36',
      does: 'whether an upgrade of the clusters breaks a configuration',
    },
    {
      line: 'kubectl get --raw /metrics | authgraph fleet clusters/ --metrics -',
      does: 'whether a server runs a configuration of the folder',
    },
    {
      line: 'authgraph fleet clusters/ --metrics https://localhost:6443 --token-file token --certificate-authority ca.crt',
      does: 'the same with the address of a server',
    },
  ],
  operands: [0, Number.POSITIVE_INFINITY],
  readsBelow: () => true,
  run: (read, io) => runFleet(read, io),
});

const runFleet = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values } = read;
  const { targetReleases } = await import('../fleet/release-arguments.ts');
  const chosen = targetReleases(read);
  const { metricsMisuse, readServers } = await import('../fleet/read-servers.ts');
  const problem =
    metricsMisuse(read) ?? failOnChangeMisuse('fail-on-change', values.list('fail-on-change'));
  if (problem !== undefined) return read.misuse(problem);
  const { openFleet } = await import('../fleet/open-fleet.ts');
  const opened = await openFleet(read, io);
  const { checkFleet } = await import('../fleet/check-fleet.ts');
  const options = { io, releases: chosen };
  const checked = await checkFleet(opened.folders, read, {
    ...options,
    onProgress: (done, all) => showFileProgress('checking file', done, all, io.stderr),
  });
  const { testFleet } = await import('../fleet/test-fleet.ts');
  const tested = await testFleet(
    opened.folders.map(({ folder }) => folder),
    checked.rows,
    {
      ...options,
      read,
      onProgress: (done, all) => showFileProgress('testing file', done, all, io.stderr),
    },
  );
  const { servers, failures } = await readServers(tested.rows, read, io);
  if (io.signal.aborted) return fail(io, 'interrupted before all configurations were checked');
  const unreadable = [...opened.failures, ...checked.failures, ...tested.failures, ...failures];
  const report: FleetReport = {
    releases: chosen,
    base: values.string('base') === '' ? undefined : values.string('base'),
    rows: tested.rows,
    removed: checked.removed,
    settings: checked.settings,
    otherTests: tested.otherTests,
    servers: values.isSet('metrics') ? servers : undefined,
    failures: unreadable.map(({ reason }) => redactSecrets(reason)),
  };
  const conditions: FailureConditions = {
    failOn: values.string('fail-on'),
    failOnChange: kindsOfFlag(values.list('fail-on-change')),
    requireProof: kindsOfFlag(values.list('require-proof')),
  };
  await print(report, conditions, read, io);
  for (const reason of tested.problems) printError(io, reason);
  for (const { reason, help } of unreadable) printError(io, reason, help);
  if (unreadable.length > 0) return exitCodes.failed;
  const { isFleetFailure } = await import('../fleet/fleet-report.ts');
  return isFleetFailure(report, conditions) ? exitCodes.problems : exitCodes.ok;
};

const print = async (
  report: FleetReport,
  conditions: FailureConditions,
  read: CommandArguments,
  io: Io,
): Promise<void> => {
  const { values } = read;
  const output = values.string('output');
  if (output === 'json') {
    const { fleetData } = await import('../fleet/fleet-data.ts');
    const data = fleetData(report, conditions);
    return writeResult(`${JSON.stringify(data, undefined, 2)}\n`, read, io);
  }
  const { fleetMarkdown, fleetText } = await import('../fleet/fleet-text.ts');
  if (output === 'markdown') return writeResult(fleetMarkdown(report, conditions), read, io);
  const color = values.string('color');
  const isPrinted = values.string('out') === '-';
  const paint = painter(isPrinted && wantsColor(color, io.stdout, io));
  await writeResult(fleetText(report, conditions, paint), read, io);
  const { fleetSummary } = await import('../fleet/fleet-table.ts');
  io.stderr.write(`${fleetSummary(report, conditions)}\n`);
};
