/** `authgraph diff OLD NEW` with two folders: compares the configurations with the same path and name. */
import { setImmediate } from 'node:timers/promises';
import { code } from '../../diagnostics/markdown-text.ts';
import { counted } from '../../formats/counted.ts';
import { escapeUnprintable } from '../../source/unprintable.ts';
import { painter, wantsColor } from '../color.ts';
import { type CommandArguments, fail, printError, writeResult } from '../command.ts';
import {
  type ConfigurationFolder,
  openFolder,
  pairConfigurations,
} from '../configuration-folder.ts';
import {
  isSameConfiguration,
  loadVersions,
  type VersionedConfiguration,
} from '../configuration-versions.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { FileFailure, Io } from '../io.ts';
import { sampleFiles } from '../sample-files.ts';
import { settingsReader } from '../target-settings.ts';
import { createDiffReport } from './create-diff-report.ts';
import { diffData } from './diff-data.ts';
import { diffMarkdown } from './diff-markdown.ts';
import { type DiffReport, type FailureKinds, failsAlone, isFailure } from './diff-report.ts';
import { type Side, sidesOf } from './diff-sides.ts';
import { diffText } from './diff-text.ts';

/** The folders that `OLD` and `NEW` name. */
export interface FolderSides {
  readonly before: ConfigurationFolder;
  readonly after: ConfigurationFolder;
}

/** Opens both folders; returns `undefined` if neither is one. */
export const openFolders = async (
  [before = '', after = '']: readonly string[],
  io: Io,
): Promise<FolderSides | undefined> => {
  if (![before, after].some((name) => name.includes(':') || io.listFolder(name) !== undefined))
    return undefined;
  const [old, current] = [await openFolder(before, io), await openFolder(after, io)];
  if (old?.kind === 'folder' && current?.kind === 'folder') return { before: old, after: current };
  if (old?.kind !== 'folder' && current?.kind !== 'folder') return undefined;
  const [other, name] = old?.kind === 'folder' ? [current, after] : [old, before];
  return other?.kind === 'failure'
    ? fail(io, other.reason, other.help)
    : fail(io, `${name} is not a folder`, 'Compare two files or two folders.');
};

/** One configuration of the folders. */
type FolderDifference =
  | { readonly kind: 'added' | 'removed' | 'same'; readonly name: string }
  | { readonly kind: 'compared'; readonly name: string; readonly report: DiffReport };

export const diffFolders = async (
  folders: FolderSides,
  read: CommandArguments,
  { io, failureKinds }: { readonly io: Io; readonly failureKinds: FailureKinds },
): Promise<ExitCode> => {
  const { before, after } = folders;
  const failures: FileFailure[] = [...before.failures, ...after.failures];
  const differences: FolderDifference[] = [];
  const options = {
    releases: [],
    compileSettings: await settingsReader(read, io),
    onFailure: (failure: FileFailure) => void failures.push(failure),
  };
  for (const file of [...new Set([...before.files, ...after.files])].sort()) {
    await setImmediate();
    if (io.signal.aborted) return fail(io, 'interrupted before all configurations were compared');
    const versions = await loadVersions({ file, folder: after, base: before }, options);
    for (const pair of pairConfigurations(versions.before ?? [], versions.after)) {
      const compared = await comparePair(pair, read, io);
      if (compared.kind === 'failure') failures.push(compared);
      else differences.push(compared);
    }
  }
  if (differences.length === 0 && failures.length === 0)
    return fail(io, `${before.name} and ${after.name} contain no configuration`);
  await writeResult(formatted(folders, differences, { read, io, failureKinds }), read, io);
  for (const { reason, help } of failures) printError(io, reason, help);
  if (failures.length > 0) return exitCodes.failed;
  const isBad = differences.some(
    (one) =>
      ((one.kind === 'added' || one.kind === 'removed') && failsAlone(one.kind, failureKinds)) ||
      (one.kind === 'compared' && isFailure(one.report, failureKinds)),
  );
  return isBad ? exitCodes.problems : exitCodes.ok;
};

const comparePair = async (
  {
    before,
    after,
  }: { readonly before?: VersionedConfiguration; readonly after?: VersionedConfiguration },
  { values }: CommandArguments,
  io: Io,
): Promise<FolderDifference | FileFailure> => {
  if (after === undefined) return { kind: 'removed', name: before?.fullName ?? '' };
  const name = after.fullName;
  if (before === undefined) return { kind: 'added', name };
  if (isSameConfiguration(before, after)) return { kind: 'same', name };
  const old = sideOfConfiguration(before);
  if ('reason' in old) return old;
  const current = sideOfConfiguration(after);
  if ('reason' in current) return current;
  const named = values.list('claims');
  const samples = named.length > 0 ? named : await sampleFiles(name, io);
  const report = await createDiffReport(sidesOf(old, current), { samples, corpora: [], io });
  return { kind: 'compared', name, report };
};

const sideOfConfiguration = ({
  fullName,
  byRelease,
}: VersionedConfiguration): Side | FileFailure => {
  const compiled = byRelease[0]?.compile();
  const { graph, origins } = compiled?.compilation ?? {};
  return graph === undefined || origins === undefined
    ? {
        kind: 'failure',
        reason: `${escapeUnprintable(fullName)} has errors and cannot be compared`,
        help: 'authgraph check reports them.',
      }
    : { side: { graph, origins }, name: fullName, source: compiled };
};

const formatted = (
  { before, after }: FolderSides,
  differences: readonly FolderDifference[],
  {
    read: { values },
    io,
    failureKinds,
  }: { readonly read: CommandArguments; readonly io: Io; readonly failureKinds: FailureKinds },
): string => {
  switch (values.string('output')) {
    case 'json':
      return `${JSON.stringify(folderData({ before, after }, differences), undefined, 2)}\n`;
    case 'markdown':
      return [
        `### Access difference: ${code(before.name)} → ${code(after.name)}`,
        differences.map((one) => `- ${code(one.name)}: ${one.kind}`).join('\n'),
        ...differences.flatMap((one) =>
          one.kind === 'compared' ? [diffMarkdown(one.report, failureKinds)] : [],
        ),
      ]
        .map((block) => `${block.trimEnd()}\n`)
        .join('\n');
    default: {
      const isPrinted = values.string('out') === '-';
      const paint = painter(isPrinted && wantsColor(values.string('color'), io.stdout, io));
      return [
        ...differences.flatMap((one) =>
          one.kind === 'compared'
            ? [`${paint('bold', escapeUnprintable(one.name))}\n${diffText(one.report, paint)}\n`]
            : [],
        ),
        ...differences.flatMap((one) =>
          one.kind === 'added' || one.kind === 'removed'
            ? [`${one.kind}: ${escapeUnprintable(one.name)}\n`]
            : [],
        ),
        `${summary(differences)}\n`,
      ].join('');
    }
  }
};

const summary = (differences: readonly FolderDifference[]): string => {
  const kinds = ['compared', 'same', 'added', 'removed'] as const;
  const counts = kinds.map((kind) => ({
    kind,
    count: differences.filter((one) => one.kind === kind).length,
  }));
  const parts = counts
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kind}`);
  return `${counted(differences.length, 'configuration')}: ${parts.join(', ')}`;
};

/** Incremented when the format changes incompatibly; see docs/schema/diff-folders.v1.json. */
const folderVersion = 1;

const folderData = (
  { before, after }: FolderSides,
  differences: readonly FolderDifference[],
): object => ({
  version: folderVersion,
  before: before.name,
  after: after.name,
  configurations: differences.map((one) =>
    one.kind === 'compared'
      ? { name: one.name, kind: one.kind, difference: diffData(one.report) }
      : { name: one.name, kind: one.kind },
  ),
});
