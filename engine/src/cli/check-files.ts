/** Checks files and the files in folders, and computes what their fixes change. */
import { withServerFlags } from '../compile/flags-in-file.ts';
import { automaticFix, type Diagnostic, type Fix } from '../diagnostics/diagnostic.ts';
import type { FileReport } from '../diagnostics/render.ts';
import { parseDocument } from '../documents/yaml/parse.ts';
import { type SourceFile, sourceFile } from '../source/source-file.ts';
import { applyEdits, type TextEdit } from '../source/text-edit.ts';
import { escapeUnprintable } from '../source/unprintable.ts';
import type { LoadOptions } from './compile-text.ts';
import type { FixedFile } from './fix-file.ts';
import type { FileFailure, FileText, Io } from './io.ts';
import { type LoadedFile, loadFile, locationName } from './load-file.ts';
import { serversNextTo } from './servers-next-to.ts';
import { walkFolder } from './walk-folder.ts';

/** A file that was checked, after its fixes if they were requested. */
export interface CheckedFile {
  readonly path: string;
  readonly report: FileReport;
  /** The content before the fixes. */
  readonly before: string;
  readonly after: string;
  /** The edits between the two. */
  readonly edits: readonly TextEdit[];
  /** The fixes in the report that `--fix` would apply; empty if they have been applied. */
  readonly fixable: ReadonlySet<Fix>;
  /** Why there are fixes that cannot be written into the file. */
  readonly unfixed?: FileFailure;
}

export interface CheckFailure extends FileFailure {
  readonly path: string;
}

export interface CheckedFiles {
  readonly files: readonly CheckedFile[];
  readonly failures: readonly CheckFailure[];
  /** Files in folders that contain no configuration. */
  readonly skippedCount: number;
}

export interface CheckOptions {
  readonly io: Io;
  /** Returns how a file is compiled. */
  readonly loadOptions: (path: string) => Promise<LoadOptions>;
  /** Returns which diagnostics of a file are reported; the others are not fixed. */
  readonly reportedIn: (path: string) => Promise<(found: Diagnostic) => boolean>;
  /** Whether the fixes are applied; otherwise they are only found. */
  readonly isFixing: boolean;
  /** Whether files without a configuration are skipped even if they are named. */
  readonly skipsOthers: boolean;
  readonly onProgress: (done: number, all: number) => void;
}

/** Checks files in order. `-` is standard input; a folder stands for the files in it. */
export const checkFiles = async (
  paths: readonly string[],
  options: CheckOptions,
): Promise<CheckedFiles> => {
  const { targets, folders, failures } = targetsOf(paths, options);
  const flagsFor = serversNextTo(
    targets.map(({ path }) => path),
    (path) => readInFolder(path, options.io),
  );
  const loadOptions = async (path: string): Promise<LoadOptions> => {
    const own = await options.loadOptions(path);
    return { ...own, settings: withServerFlags(own.settings, await flagsFor(path)) };
  };
  const files: CheckedFile[] = [];
  let skippedCount = 0;
  for (const [index, target] of targets.entries()) {
    options.onProgress(index, targets.length);
    const checked = await checkFile(target, { ...options, loadOptions });
    if (checked === undefined) skippedCount += 1;
    else if ('reason' in checked) failures.push({ ...checked, path: target.path });
    else files.push(checked);
  }
  options.onProgress(targets.length, targets.length);
  const reached = [...files, ...failures].map(({ path }) => path);
  for (const { path, inside } of folders)
    if (!reached.some((found) => found === path || inside.has(found)))
      failures.push(emptyFolder(path, inside.size));
  return { files, failures, skippedCount };
};

interface CheckTarget {
  readonly path: string;
  /** Whether the file is skipped if it has no configuration, as in a folder. */
  readonly inFolder: boolean;
}

interface Targets {
  readonly targets: readonly CheckTarget[];
  readonly folders: readonly { readonly path: string; readonly inside: ReadonlySet<string> }[];
  readonly failures: CheckFailure[];
}

const targetsOf = (
  paths: readonly string[],
  { io, skipsOthers }: Pick<CheckOptions, 'io' | 'skipsOthers'>,
): Targets => {
  const targets = new Map<string, CheckTarget>();
  const folders: Targets['folders'][number][] = [];
  const failures: CheckFailure[] = [];
  for (const path of paths) {
    const walked = walkFolder(path, io);
    if (walked === undefined) {
      targets.set(path, { path, inFolder: skipsOthers });
      continue;
    }
    failures.push(...walked.failures.map((failure) => ({ ...failure, path })));
    folders.push({ path, inside: new Set(walked.files) });
    for (const file of walked.files)
      if (!targets.has(file)) targets.set(file, { path: file, inFolder: true });
  }
  return { targets: [...targets.values()], folders, failures };
};

/** Returns the error about a folder without a configuration; `count` is the number of its files. */
export const emptyFolder = (path: string, count: number): CheckFailure => ({
  kind: 'failure',
  path,
  reason: `${path}: no AuthenticationConfiguration in this folder, which has ${count} YAML and JSON ${count === 1 ? 'file' : 'files'}`,
  help: 'Names that begin with a dot, node_modules, and symbolic links to folders or to files outside of this one are skipped.',
});

/** Returns `undefined` for a file in a folder that contains no configuration. */
const checkFile = async (
  { path, inFolder }: CheckTarget,
  options: CheckOptions,
): Promise<CheckedFile | FileFailure | undefined> => {
  const file =
    inFolder && path !== '-'
      ? await readInFolder(path, options.io)
      : await options.io.readText(path);
  if (file === undefined || file.kind === 'failure') return file;
  const loadOptions = await options.loadOptions(path);
  const load = (text: string): Promise<LoadedFile> =>
    loadFile(locationName(path), { ...file, text }, loadOptions);
  const loaded = await load(file.text);
  if (inFolder && !hasConfiguration(loaded)) return undefined;
  const parts = await partsOf(path, file.text, loaded);
  if ('reason' in parts) return parts;
  const before = file.text;
  const { edits, isApplied, unfixed } = await fixLoaded(loaded, file, parts, {
    ...loadOptions,
    ...options,
    path,
  });
  const checked = { path, before, ...(unfixed === undefined ? {} : { unfixed }) };
  if (!options.isFixing)
    return {
      ...checked,
      report: reportOf(parts),
      after: before,
      edits: [],
      fixable: fixesIn(parts, isApplied),
    };
  const after = applyEdits(before, edits);
  const remaining = after === before ? parts : await partsOf(path, after, await load(after));
  return 'reason' in remaining
    ? remaining
    : { ...checked, report: reportOf(remaining), after, edits, fixable: new Set() };
};

/** The diagnostics of a file, one list for each configuration in it. */
interface ReportedParts {
  readonly source: SourceFile;
  readonly lists: readonly (readonly Diagnostic[])[];
}

const reportOf = ({ source, lists }: ReportedParts): FileReport => ({
  source,
  diagnostics: lists.flat().toSorted((a, b) => a.span.start - b.span.start),
});

const fixesIn = ({ lists }: ReportedParts, isApplied: FixedFile['isApplied']): ReadonlySet<Fix> =>
  new Set(
    lists.flatMap((diagnostics, index) =>
      diagnostics.flatMap((found) => {
        const fix = isApplied(found, index) ? automaticFix(found) : undefined;
        return fix === undefined ? [] : [fix];
      }),
    ),
  );

/** Reads a file that was found in a folder; `undefined` if it is so large that it is data. */
export const readInFolder = async (
  path: string,
  io: Pick<Io, 'readText'>,
): Promise<FileText | undefined> => {
  const file = await io.readText(path, maxBytesInFolder);
  return file.kind === 'failure' && file.isTooLarge === true ? undefined : file;
};

/** Returns whether a file that was found in a folder is checked. */
export const hasConfiguration = (loaded: LoadedFile): boolean =>
  loaded.kind === 'found' || isBrokenConfiguration(loaded);

/** Returns whether a file that cannot be parsed, such as a template, contains a configuration. */
const isBrokenConfiguration = (loaded: LoadedFile): boolean =>
  loaded.kind === 'compiled' &&
  loaded.compilation.document.failure !== undefined &&
  /^[ \t]*kind:[ \t]*["']?AuthenticationConfiguration/m.test(loaded.source.text);

/** Larger files in folders are skipped: they are data. */
const maxBytesInFolder = 4 * 1024 * 1024;

/** Returns the diagnostics of a file, which may also be an artifact or a kubeconfig. */
const partsOf = async (
  path: string,
  text: string,
  loaded: LoadedFile,
): Promise<ReportedParts | FileFailure> => {
  switch (loaded.kind) {
    case 'failure':
      return loaded;
    case 'artifact':
      return { source: sourceFile(locationName(path), text), lists: [] };
    case 'compiled':
      return { source: loaded.source, lists: [loaded.diagnostics] };
    case 'found': {
      const { source, configurations } = loaded;
      return { source, lists: configurations.map((one) => one.compile().diagnostics) };
    }
    case 'other': {
      const { checkKubeconfig, isKubeconfig } = await import('./check-kubeconfig.ts');
      const { source, failure } = loaded;
      const document = parseDocument(source);
      if (!isKubeconfig(document)) return failure;
      const checked = await checkKubeconfig(path, document);
      return checked.kind === 'failure' ? checked : { source, lists: [checked.diagnostics] };
    }
  }
};

/** Returns what `--fix` changes; the work is saved if no diagnostic has an automatic fix. */
const fixLoaded = async (
  loaded: LoadedFile,
  { bytes, broken }: Extract<FileText, { kind: 'text' }>,
  { source, lists }: ReportedParts,
  options: LoadOptions & CheckOptions & Pick<CheckTarget, 'path'>,
): Promise<FixedFile> => {
  const hasFix = lists.some((found) => found.some((one) => automaticFix(one) !== undefined));
  if (broken !== undefined || !hasFix) return nothingFixed;
  const isWanted = await options.reportedIn(options.path);
  const { fixFound, fixWhole } = await import('./fix-file.ts');
  const fixed =
    loaded.kind === 'found'
      ? fixFound(loaded.source, loaded.configurations, { ...options, isWanted })
      : loaded.kind === 'compiled'
        ? fixWhole(loaded, { ...options, isWanted })
        : nothingFixed;
  // Fixed standard input is printed, and needs no conversion.
  const isWritable = bytes === undefined || options.path === '-';
  return isWritable || fixed.edits.length === 0
    ? fixed
    : { ...nothingFixed, unfixed: encodingFailure(source) };
};

const encodingFailure = ({ uri }: SourceFile): FileFailure => ({
  kind: 'failure',
  reason: `${escapeUnprintable(uri)}: fixes can only be written to a file with the encoding UTF-8`,
  help: 'Convert the file to UTF-8, for example with iconv.',
});

const nothingFixed: FixedFile = { edits: [], isApplied: () => false };
