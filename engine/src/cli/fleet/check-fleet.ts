/**
 * Checks the configurations of folders and compares them with a base. The files are read one after the
 * other, and only the results are stored.
 */
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { summaryOf } from '../../diagnostics/json.ts';
import type { Release } from '../../model/release.ts';
import { testFileSuffix } from '../../simulate/tests/test-rows.ts';
import { emptyFolder } from '../check-files.ts';
import { createCheckSettings } from '../check-settings.ts';
import type { CommandArguments } from '../command.ts';
import { type ConfigurationFolder, pairConfigurations } from '../configuration-folder.ts';
import {
  type FileTask,
  type FileVersions,
  loadVersions,
  type VersionedConfiguration,
} from '../configuration-versions.ts';
import type { FileFailure, Io } from '../io.ts';
import { compareConfigurations } from './compare-versions.ts';
import {
  type CheckedSettings,
  type FleetRow,
  noTests,
  type ReleaseResult,
} from './fleet-report.ts';
import { argumentsFor } from './release-arguments.ts';

/** A folder, and the one with which it is compared. */
export interface FleetFolder {
  readonly folder: ConfigurationFolder;
  /** `undefined` without `--base`. */
  readonly base: ConfigurationFolder | undefined;
}

export interface CheckedFleet {
  readonly rows: readonly FleetRow[];
  /** Configurations that only the base has. */
  readonly removed: readonly string[];
  readonly settings: readonly CheckedSettings[];
  readonly failures: readonly FileFailure[];
}

export interface FleetOptions {
  readonly io: Io;
  /** The target releases; empty if each configuration has its own. */
  readonly releases: readonly Release[];
  /** Called before each file, and once at the end. */
  readonly onProgress: (done: number, all: number) => void;
}

type CheckSettings = ReturnType<typeof createCheckSettings>;

export const checkFleet = async (
  folders: readonly FleetFolder[],
  read: CommandArguments,
  { io, releases, onProgress }: FleetOptions,
): Promise<CheckedFleet> => {
  const names = folders.map(({ folder }) => folder.name);
  const settings = createCheckSettings(argumentsFor(read, undefined), names, io);
  const failures: FileFailure[] = [];
  const rows: FleetRow[] = [];
  const removed: string[] = [];
  /** Files with a configuration, here or in the base. */
  const found = new Set<string>();
  const { compileSettings } = settings;
  const onFailure = (failure: FileFailure): void => void failures.push(failure);
  const tasks = tasksOf(folders);
  for (const [index, task] of tasks.entries()) {
    // Signals and timers run in between.
    await setImmediate();
    if (io.signal.aborted) break;
    onProgress(index, tasks.length);
    const versions = await loadVersions(task, { releases, compileSettings, onFailure });
    const { before, after } = versions;
    const pairs = pairConfigurations(before ?? [], after);
    if (pairs.length > 0) found.add(resolve(versions.path));
    for (const pair of pairs) {
      if (pair.after === undefined) removed.push(versions.path + (pair.before?.selector ?? ''));
      else rows.push(await rowOf(pair.after, pair.before, { versions, settings }));
    }
  }
  onProgress(tasks.length, tasks.length);
  for (const { folder, base } of folders) {
    const { name, files } = folder;
    const all = [...files, ...(base?.files ?? [])];
    if (!all.some((file) => found.has(resolve(name, file))))
      failures.push(emptyFolder(name, files.size));
  }
  const reports = await settings.applied([], []);
  return {
    rows,
    removed,
    settings: reports.map(({ path, report }) => ({ file: path, check: countsOf([report]) })),
    failures,
  };
};

/** Returns the files of all folders and bases, each of which once: a folder may be inside of another. */
const tasksOf = (folders: readonly FleetFolder[]): readonly FileTask[] => {
  const tasks = new Map<string, FileTask>();
  for (const { folder, base } of folders)
    for (const file of new Set([...folder.files, ...(base?.files ?? [])])) {
      const path = resolve(folder.name, file);
      if (!file.endsWith(testFileSuffix) && !tasks.has(path))
        tasks.set(path, { folder, base, file });
    }
  return [...tasks.values()];
};

const rowOf = async (
  configuration: VersionedConfiguration,
  old: VersionedConfiguration | undefined,
  { versions, settings }: { readonly versions: FileVersions; readonly settings: CheckSettings },
): Promise<FleetRow> => {
  const { path, before } = versions;
  const { fullName, start, hash, byRelease } = configuration;
  const access = before === undefined ? [] : compareConfigurations(old, configuration);
  const results: ReleaseResult[] = [];
  for (const [index, { settings: compiledWith, compile }] of byRelease.entries()) {
    const { source, diagnostics } = compile();
    const report = await settings.apply({ path, report: { source, diagnostics } });
    results.push({
      release: compiledWith.targetRelease,
      check: countsOf([report]),
      tests: noTests,
      access: access[index],
    });
  }
  return { name: fullName, file: path, start, hash, baseHash: old?.hash, results };
};

const countsOf = (reports: Parameters<typeof summaryOf>[0]): ReleaseResult['check'] => {
  const { errors, warnings, information, hints } = summaryOf(reports);
  return { errors, warnings, information, hints };
};
