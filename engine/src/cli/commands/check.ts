/** `authgraph check FILE…`: reports every problem in configuration files. */
import { githubAnnotations } from '../../diagnostics/github.ts';
import { jsonReport, type Summary, summaryOf } from '../../diagnostics/json.ts';
import { type FileReport, renderText } from '../../diagnostics/render.ts';
import { sarifLog } from '../../diagnostics/sarif.ts';
import { checkKubeconfig, isKubeconfig } from '../check-kubeconfig.ts';
import { painter, wantsColor } from '../color.ts';
import {
  type CommandArguments,
  defineCommand,
  oneStandardInput,
  printError,
  targetVersionFlag,
} from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { type LoadedConfiguration, loadConfiguration, reportOf } from '../load-configuration.ts';
import { targetSettings } from '../target-settings.ts';
import { version } from '../version.ts';

export const check = defineCommand({
  name: 'check',
  usage: '[flags] FILE…',
  about:
    'Validates configuration files as kube-apiserver does and reports every problem at once: errors, which the server rejects, and warnings, which it accepts although they are probably mistakes. A kubeconfig for --authentication-token-webhook-config-file is checked for certificate authorities that cannot verify the server. - reads standard input.',
  flags: [
    {
      name: 'format',
      shorthand: 'f',
      group: 'Output',
      choices: ['text', 'json', 'sarif', 'github'],
      doc: 'Output format: text for people, JSON, SARIF 2.1.0 or GitHub annotations.',
    },
    {
      name: 'fail-on',
      group: 'Output',
      choices: ['error', 'warning', 'information', 'hint'],
      doc: 'Exit with 1 on this severity or worse.',
    },
    {
      name: 'quiet',
      shorthand: 'q',
      group: 'Output',
      type: 'bool',
      doc: 'Do not print the summary line.',
    },
    targetVersionFlag,
  ],
  examples: [
    { line: 'authgraph check auth.yaml', does: 'problems with locations, code frames and fixes' },
    {
      line: 'authgraph check --target-version 1.34 --fail-on warning config/*.yaml',
      does: 'validate for release 1.34; warnings fail too',
    },
    { line: 'kustomize build . | authgraph check -', does: 'read standard input' },
    { line: 'authgraph check --format sarif auth.yaml > auth.sarif', does: 'for code scanning' },
  ],
  operands: [1, Number.POSITIVE_INFINITY],
  missing: 'specify at least one file, or - for standard input',
  run: (read, io) => runCheck(read, io),
});

const runCheck = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values, operands } = read;
  if (operands.filter((path) => path === '-').length > 1) return read.misuse(oneStandardInput);
  const settings = targetSettings(read);

  const reports: FileReport[] = [];
  let unreadable = 0;
  for (const [index, path] of operands.entries()) {
    showProgress(io, index, operands.length);
    const loaded = await loadConfiguration(path, io, { settings, limits: 'warn' });
    const checked = loaded.kind === 'compiled' ? await checkLoaded(path, loaded) : loaded;
    if (checked.kind === 'report') reports.push(checked.report);
    if (checked.kind !== 'failure') continue;
    unreadable += 1;
    printError(io, checked.reason);
  }
  showProgress(io, operands.length, operands.length);

  const format = values.string('format');
  await print(reports, format, values.string('color'), io);
  if (format === 'text' && !values.bool('quiet') && unreadable < operands.length)
    io.stderr.write(
      `${summaryLine(reports, operands.length - unreadable, values.string('color'), io)}\n`,
    );
  if (unreadable > 0) return exitCodes.failed;
  return isBad(summaryOf(reports), values.string('fail-on')) ? exitCodes.problems : exitCodes.ok;
};

/** Returns the report of a configuration, or of the kubeconfig that the file contains instead. */
const checkLoaded = async (
  path: string,
  loaded: Extract<LoadedConfiguration, { kind: 'compiled' }>,
): Promise<
  | { readonly kind: 'report'; readonly report: FileReport }
  | { readonly kind: 'failure'; readonly reason: string }
> => {
  const { document } = loaded.compilation;
  if (!isKubeconfig(document)) return { kind: 'report', report: reportOf(loaded) };
  const checked = await checkKubeconfig(path, document);
  if (checked.kind === 'failure') return checked;
  const { source } = loaded;
  return { kind: 'report', report: { source, diagnostics: checked.diagnostics } };
};

const print = async (
  reports: readonly FileReport[],
  format: string,
  color: string,
  io: Io,
): Promise<void> => {
  switch (format) {
    case 'json':
      io.stdout.write(`${JSON.stringify(jsonReport(reports), undefined, 2)}\n`);
      return;
    case 'sarif': {
      const { catalog } = await import('../../catalog.ts');
      const log = sarifLog(reports, { version, rules: catalog, pages: await pagesOf(reports) });
      io.stdout.write(`${JSON.stringify(log, undefined, 2)}\n`);
      return;
    }
    case 'github':
      io.stdout.write(githubAnnotations(reports));
      return;
    default:
      io.stdout.write(
        renderText(reports, {
          color: wantsColor(color, io.stdout, io),
          width: io.stdout.columns,
        }),
      );
  }
};

const pagesOf = async (reports: readonly FileReport[]): Promise<ReadonlyMap<string, string>> => {
  const { diagnosticMarkdown } = await import('../diagnostic-page.ts');
  const pages = new Map<string, string>();
  for (const name of new Set(
    reports.flatMap(({ diagnostics }) => diagnostics.map((d) => d.name)),
  )) {
    const markdown = await diagnosticMarkdown(name);
    if (markdown !== undefined) pages.set(name, markdown);
  }
  return pages;
};

const isBad = (summary: Summary, failOn: string): boolean => {
  const counts = [summary.errors, summary.warnings, summary.information, summary.hints];
  const upTo = ['error', 'warning', 'information', 'hint'].indexOf(failOn);
  return counts.slice(0, upTo + 1).some((count) => count > 0);
};

const summaryLine = (
  reports: readonly FileReport[],
  files: number,
  color: string,
  io: Io,
): string => {
  const { errors, warnings, information, hints } = summaryOf(reports);
  const paint = painter(wantsColor(color, io.stderr, io));
  const counted = [
    [errors, 'error'],
    [warnings, 'warning'],
    [information, 'information diagnostic'],
    [hints, 'hint'],
  ] as const;
  const found = counted
    .filter(([count]) => count > 0)
    .map(([count, noun]) => plural(count, noun))
    .join(', ');
  const where = `in ${plural(files, 'file')}`;
  if (found === '') return paint('green', `no problems ${where}`);
  return paint(errors > 0 ? 'red' : 'yellow', `${found} ${where}`);
};

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Shows progress on one line if there are many files and a terminal. */
const showProgress = (io: Io, done: number, all: number): void => {
  if (!io.stderr.isTerminal || all < manyFiles) return;
  io.stderr.replaceLine(done === all ? '' : `checking ${done + 1} of ${all}`);
};

const manyFiles = 20;
