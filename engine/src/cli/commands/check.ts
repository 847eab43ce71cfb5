/** `authgraph check FILE…`: reports every problem in configuration files, and fixes what is certain. */

import { githubAnnotations } from '../../diagnostics/github.ts';
import { jsonReport, summaryOf } from '../../diagnostics/json.ts';
import { toPrintable } from '../../diagnostics/printable.ts';
import { type FileReport, renderText } from '../../diagnostics/render.ts';
import { sarifLog, type UnreadableFile } from '../../diagnostics/sarif.ts';
import type { FlagValues } from '../../flags/flag.ts';
import { counted } from '../../formats/counted.ts';
import { productVersion } from '../../model/product-version.ts';
import { escapeUnprintable } from '../../source/unprintable.ts';
import { type AppliedFixes, appliedFixes, fixableText } from '../applied-fixes.ts';
import { type CheckedFiles, checkFiles } from '../check-files.ts';
import { apiDomainFlag, createCheckSettings, isSettingsPath } from '../check-settings.ts';
import { painter, wantsColor } from '../color.ts';
import {
  type CommandArguments,
  configFlag,
  defineCommand,
  oneStandardInput,
  outputFlag,
  printError,
  targetVersionFlag,
} from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { showFileProgress } from '../file-progress.ts';
import type { Io, Stream } from '../io.ts';
import { asTyped } from '../program-name.ts';
import { failOnFlag, hasSeverity, severityText } from '../severity-counts.ts';

export const check = defineCommand({
  name: 'check',
  usage: '[flags] FILE|FOLDER…',
  about:
    'Validates configuration files as kube-apiserver does and reports every problem at once: errors, which the server rejects, and warnings, which it accepts although they are probably mistakes. Finds configurations in ConfigMaps and among other documents, and --oidc-* flags in kubeadm, kind, k3s and RKE2 files. In a folder, files without a configuration are skipped. A kubeconfig for --authentication-token-webhook-config-file is checked for certificate authorities that cannot verify the server. - reads standard input.',
  flags: [
    {
      ...outputFlag,
      choices: ['text', 'json', 'sarif', 'github'],
      doc: 'Output format: text for people, JSON, SARIF 2.1.0 or GitHub annotations.',
    },
    failOnFlag,
    {
      name: 'quiet',
      shorthand: 'q',
      group: 'Output',
      type: 'bool',
      doc: 'Do not print the summary line.',
    },
    {
      name: 'skip-other-files',
      group: 'Input',
      type: 'bool',
      doc: 'Skip files without a configuration even if they are named, as in a folder.',
    },
    {
      name: 'fix',
      group: 'Fixes',
      type: 'bool',
      doc: 'Apply the fixes that need no choice and do not change who gets access, and report what remains. For - the fixed text is printed.',
    },
    {
      name: 'dry-run',
      group: 'Fixes',
      type: 'bool',
      doc: 'With --fix: print the changes as a unified diff instead of writing them; exit with 1 if there are any.',
    },
    targetVersionFlag,
    apiDomainFlag,
    {
      ...configFlag,
      type: 'stringArray',
      doc: 'Configuration file, in addition to the arguments; may be repeated.',
    },
  ],
  examples: [
    { line: 'authgraph check auth.yaml', does: 'problems with locations, code frames and fixes' },
    {
      line: 'authgraph check --target-version 1.34 --fail-on warning config/*.yaml',
      does: 'validate for release 1.34; warnings fail too',
    },
    { line: 'authgraph check clusters/', does: 'every configuration in a folder' },
    { line: 'kustomize build . | authgraph check -', does: 'the ConfigMaps that will be applied' },
    { line: 'authgraph check --fix --dry-run auth.yaml', does: 'what the certain fixes change' },
    { line: 'authgraph check -o sarif auth.yaml > auth.sarif', does: 'for code scanning' },
  ],
  operands: [0, Number.POSITIVE_INFINITY],
  run: (read, io) => runCheck(read, io),
});

const noFiles = 'specify at least one file, or - for standard input';

const emptyInput =
  'note: standard input was empty; pipe a configuration into the command: kustomize build . | authgraph check -\n';

const runCheck = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values } = read;
  const paths = [...values.list('config'), ...read.operands];
  if (paths.length === 0) return read.misuse(noFiles);
  if (paths.filter((path) => path === '-').length > 1) return read.misuse(oneStandardInput);
  const problem = fixMisuse(values, paths);
  if (problem !== undefined) return read.misuse(problem);
  const settings = createCheckSettings(read, paths, io);
  const isFixing = values.bool('fix');

  const found = await checkFiles(
    paths.filter((path) => !isSettingsPath(path)),
    {
      io,
      loadOptions: async (path) => ({
        settings: await settings.compileSettings(path),
        limits: 'warn',
      }),
      reportedIn: settings.reportedIn,
      isFixing,
      skipsOthers: values.bool('skip-other-files'),
      onProgress: (done, all) => showFileProgress('checking', done, all, io.stderr),
    },
  );
  const files = await settings.applied(found.files, paths.filter(isSettingsPath));
  const checked = { ...found, files };
  const unwritten = isFixing ? await applyFixes(checked, values, io) : [];
  const failures = [...checked.failures, ...unwritten];
  for (const { reason, help } of failures) printError(io, reason, help);

  const reports = checked.files.map(({ report }) => report);
  const unreadable = failures.map(({ path, reason }) => ({ file: path, reason }));
  const format = values.string('output');
  // Standard output has the diff or the fixed text.
  const stream = printsText(values, paths) ? io.stderr : io.stdout;
  const fixes = appliedFixes(checked.files);
  await print({ reports, fixes, unreadable, format, color: values.string('color'), stream, io });
  if (checked.files.some(({ path, before }) => path === '-' && before.trim() === ''))
    io.stderr.write(asTyped(emptyInput, io));
  if (format === 'text' && !values.bool('quiet') && checked.files.length > 0)
    io.stderr.write(
      `${dryRunSummary(checked, values)}${summaryLine(checked, unwritten.length, values.string('color'), io)}${fixableText(fixes, reports)}${toPrintable(settings.summary())}\n`,
    );
  if (failures.length > 0) return exitCodes.failed;
  const isPending =
    values.bool('dry-run') && checked.files.some(({ before, after }) => after !== before);
  return isPending || hasSeverity(summaryOf(reports), values.string('fail-on'))
    ? exitCodes.problems
    : exitCodes.ok;
};

const fixMisuse = (values: FlagValues, paths: readonly string[]): string | undefined => {
  if (values.bool('dry-run') && !values.bool('fix')) return '--dry-run requires --fix';
  if (!printsText(values, paths)) return undefined;
  if (values.string('output') !== 'text')
    return `--output ${values.string('output')} cannot be used when --fix prints a text or a diff`;
  return !values.bool('dry-run') && paths.length > 1
    ? 'with --fix, standard input must be the only file'
    : undefined;
};

/** Returns whether standard output is used for a diff or for fixed standard input. */
const printsText = (values: FlagValues, paths: readonly string[]): boolean =>
  values.bool('fix') && (values.bool('dry-run') || paths.includes('-'));

/** Writes the fixes or prints the diff, and reports both; returns what could not be written. */
const applyFixes = async (
  { files }: CheckedFiles,
  values: FlagValues,
  io: Io,
): Promise<CheckedFiles['failures']> => {
  const { printPatches, writeFixes } = await import('../write-fixes.ts');
  const isDryRun = values.bool('dry-run');
  if (isDryRun) await printPatches(files, io);
  const failures = isDryRun ? [] : [...(await writeFixes(files, io))];
  const failed = new Set(failures.map(({ path }) => path));
  for (const { path, report, before, after } of files)
    if (!values.bool('quiet') && !isDryRun && after !== before && !failed.has(path))
      io.stderr.write(`fixed ${escapeUnprintable(report.source.uri)}\n`);
  if (!values.bool('quiet')) {
    const { withheldFixLines } = await import('../withheld-fixes.ts');
    for (const line of withheldFixLines(files)) io.stderr.write(`${line}\n`);
  }
  for (const { path, unfixed } of files)
    if (unfixed !== undefined) failures.push({ ...unfixed, path });
  return failures;
};

interface Printing {
  readonly reports: readonly FileReport[];
  readonly fixes: AppliedFixes;
  readonly unreadable: readonly UnreadableFile[];
  readonly format: string;
  readonly color: string;
  readonly stream: Stream;
  readonly io: Io;
}

const print = async ({
  reports,
  fixes,
  unreadable,
  format,
  color,
  stream,
  io,
}: Printing): Promise<void> => {
  switch (format) {
    case 'json':
      stream.write(`${JSON.stringify(jsonReport(reports, fixes), undefined, 2)}\n`);
      return;
    case 'sarif': {
      const { catalog } = await import('../../catalog.ts');
      const { hash } = await import('node:crypto');
      const log = sarifLog(reports, unreadable, {
        version: productVersion,
        rules: catalog,
        pages: await pagesOf(reports),
        hash: (text) => hash('sha256', text),
      });
      stream.write(`${JSON.stringify(log, undefined, 2)}\n`);
      return;
    }
    case 'github':
      stream.write(githubAnnotations(reports));
      return;
    default:
      stream.write(
        renderText(reports, {
          color: wantsColor(color, stream, io),
          width: stream.columns,
          isApplied: fixes.isApplied,
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

/** Returns what the summary of a dry run begins with; the rest describes the files with the fixes. */
const dryRunSummary = ({ files }: CheckedFiles, values: FlagValues): string => {
  if (!values.bool('dry-run')) return '';
  const changed = files.filter(({ before, after }) => after !== before).length;
  return changed === 0
    ? 'nothing to fix automatically: '
    : `fixes for ${counted(changed, 'file')}, not written; with them, `;
};

const summaryLine = (
  { files, skippedCount, failures }: CheckedFiles,
  unwrittenCount: number,
  color: string,
  io: Io,
): string => {
  const summary = summaryOf(files.map(({ report }) => report));
  const paint = painter(wantsColor(color, io.stderr, io));
  const found = severityText(summary);
  const where = `in ${counted(files.length, 'file')}`;
  const skipped =
    skippedCount === 0 ? '' : `, ${counted(skippedCount, 'file')} without a configuration skipped`;
  const failureCount = failures.length + unwrittenCount;
  const unchecked = failures.length === 0 ? '' : `; ${failures.length} could not be checked`;
  const unwritten = unwrittenCount === 0 ? '' : `; ${unwrittenCount} could not be fixed`;
  const rest = `${skipped}${unchecked}${unwritten}`;
  if (found === '') return paint(failureCount > 0 ? 'red' : 'green', `no problems ${where}${rest}`);
  return paint(summary.errors + failureCount > 0 ? 'red' : 'yellow', `${found} ${where}${rest}`);
};
