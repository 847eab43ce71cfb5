/** Applies settings files to the reports of `check`, and reports the settings files themselves. */
import { basename, join, resolve, sep } from 'node:path';
import type { CompileSettings } from '../compile/settings.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { FileReport } from '../diagnostics/render.ts';
import type { FlagForm } from '../flags/flag-form.ts';
import { apiDomains } from '../model/api-domain.ts';
import { nodeClock } from '../node/clock.ts';
import { type Settings, type Suppression, settingsFileName } from '../settings/settings.ts';
import type { CheckedFile } from './check-files.ts';
import { type CommandArguments, fail } from './command.ts';
import type { Io } from './io.ts';
import { createSettingsFiles, pathBelow, type SettingsFile } from './settings-files.ts';
import { targetSettings } from './target-settings.ts';

/** The flag that chooses the API domain of files. */
export const apiDomainFlag: FlagForm = {
  name: 'api-domain',
  group: 'Compiler',
  choices: ['', ...apiDomains],
  default: '',
  placeholder: apiDomains.join('|'),
  doc: 'The only API domain that files may use. k8s.io is for files that kube-apiserver reads, too.',
};

/** Returns whether an argument of `check` is a settings file rather than a configuration. */
export const isSettingsPath = (path: string): boolean => basename(path) === settingsFileName;

interface AppliedSettings {
  readonly used: Set<Suppression>;
  /** The checked files, relative to the folder of the settings file. */
  readonly paths: Set<string>;
}

/** `operands` are the files and folders of the command. */
export const createCheckSettings = (
  read: CommandArguments,
  operands: readonly string[],
  io: Io,
) => {
  // Reports an invalid flag before any file is read.
  targetSettings(read);
  const files = createSettingsFiles(io);
  const applied = new Map<SettingsFile, AppliedSettings>();
  let suppressedCount = 0;
  const now = nodeClock().now();

  const appliedOf = (file: SettingsFile): AppliedSettings => {
    const known = applied.get(file) ?? { used: new Set(), paths: new Set() };
    applied.set(file, known);
    return known;
  };

  const apply = async ({
    path,
    report,
  }: Pick<CheckedFile, 'path' | 'report'>): Promise<FileReport> => {
    const file = await files.nearest(path);
    if (file === undefined) return report;
    const { applySettings } = await import('../settings/apply-settings.ts');
    const { used, paths } = appliedOf(file);
    const below = pathBelow(file, path);
    paths.add(below);
    const diagnostics = applySettings(report.diagnostics, {
      settings: file.settings,
      path: below,
      now,
      onSuppressed(suppression) {
        suppressedCount += 1;
        used.add(suppression);
      },
    });
    return { ...report, diagnostics };
  };
  const settingsReports = async () => {
    const findings = await import('../settings/suppression-findings.ts');
    return Array.from(applied, ([file, { used, paths }]) => {
      const { suppressions } = file.settings;
      const checkable = suppressions.filter((one) => isDecided(one, { file, operands, paths }));
      return {
        file,
        diagnostics: [
          ...file.diagnostics,
          ...findings.expiredSuppressions(suppressions, now),
          ...findings.unusedSuppressions(checkable, used, now),
        ],
      };
    });
  };

  return {
    /** Returns the settings with which a file is compiled. */
    async compileSettings(path: string): Promise<CompileSettings> {
      const file = await files.ofConfiguration(path);
      const settings = targetSettings(read, file?.settings);
      const flagDomain = apiDomains.find((domain) => domain === read.values.string('api-domain'));
      return flagDomain === undefined ? settings : { ...settings, fileDomain: flagDomain };
    },
    /** Returns the report of a file without what its settings suppress, with their levels. */
    apply,
    /** Returns which diagnostics of a file are reported, and so which are fixed. */
    async reportedIn(path: string): Promise<(found: Diagnostic) => boolean> {
      const file = await files.nearest(path);
      if (file === undefined) return () => true;
      const { applySettings } = await import('../settings/apply-settings.ts');
      const place = { settings: file.settings, path: pathBelow(file, path), now };
      return (found) => applySettings([found], place).length > 0;
    },
    /**
     * Returns the files with what their settings report, and the settings files that were named or
     * have mistakes.
     */
    async applied(
      checked: readonly CheckedFile[],
      named: readonly string[],
    ): Promise<readonly CheckedFile[]> {
      const reported: CheckedFile[] = [];
      for (const one of checked) reported.push({ ...one, report: await apply(one) });
      for (const path of named) {
        const file = await files.at(path);
        if (file === undefined) return fail(io, `open ${path}: no such file or directory`);
        appliedOf(file);
      }
      const names = new Set(named.map((path) => resolve(path)));
      const reports = applied.size === 0 ? [] : await settingsReports();
      return [
        ...reports.flatMap(({ file, diagnostics }): readonly CheckedFile[] => {
          const { path, folder, source } = file;
          if (diagnostics.length === 0 && !names.has(join(folder, settingsFileName))) return [];
          const { text } = source;
          return [
            {
              path,
              report: { source, diagnostics },
              before: text,
              after: text,
              edits: [],
              fixable: new Set(),
            },
          ];
        }),
        ...reported,
      ];
    },
    /** Describes the settings that applied, for the end of the summary; empty without any. */
    summary(): string {
      const names = [...applied.keys()].map(({ path }) => path);
      if (names.length === 0) return '';
      const shown = names.length > 2 ? `${names.length} settings files` : names.join(', ');
      return ` (${suppressedCount === 0 ? '' : `${suppressedCount} suppressed, `}settings: ${shown})`;
    },
  };
};

/**
 * Returns whether all files to which a suppression can apply were checked: the folder of the
 * settings file, or the only file that it names.
 */
const isDecided = (
  { files }: Settings['suppressions'][number],
  place: {
    readonly file: SettingsFile;
    readonly operands: readonly string[];
    readonly paths: ReadonlySet<string>;
  },
): boolean => {
  if (files !== undefined && !/[*?{]/.test(files) && place.paths.has(files)) return true;
  return place.operands.some((operand) => {
    const folder = resolve(operand);
    return `${place.file.folder}${sep}`.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  });
};
