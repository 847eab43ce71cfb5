/** Sample identities: named sets of claims from workspace files or held in memory. */
import {
  type ClaimSet,
  type ConfigDocument,
  findTokens,
  ownClaim,
  readClaims,
  readSample,
  type SourceFile,
  type Span,
  sourceFile,
} from '@authgraph/engine/language';
import type { SkippedFile } from './closed-configurations.ts';
import type { SampleFile } from './input-files.ts';
import { limits } from './limits.ts';
import type { ChooseSample, MemorySample, SampleRow, SamplesAnswer } from './protocol.ts';
import { problems } from './unavailable-reasons.ts';

export interface Sample {
  /** The file's URI, or `memory:` and a number. */
  readonly id: string;
  /**
   * `jane` for `jane.claims.yaml`; includes the path if several files share the name, and the
   * workspace folder if files of several workspace folders do.
   */
  readonly name: string;
  /** URI of the workspace folder; absent for other files and for samples held in memory. */
  readonly folder?: string;
  /** Absent for samples held in memory. */
  readonly document?: ConfigDocument;
  readonly claims: ClaimSet;
  /** The client's finding about the token's signature. */
  readonly signature?: string;
}

/** A file that should be a sample and is not valid. */
export interface InvalidSample {
  readonly id: string;
  readonly name: string;
  readonly folder?: string;
  readonly problem: string;
  /** The location of the error, if it has one. */
  readonly place: { readonly source: SourceFile; readonly span: Span } | undefined;
}

export interface SampleSet {
  /** Sorted by name. */
  readonly all: readonly Sample[];
  /** An incomplete file may also be in `all`, in its last valid form. */
  readonly invalid: readonly InvalidSample[];
  /** The current sample: the last one selected, or the first of all. */
  readonly current: Sample | undefined;
  /** The samples that were selected, the last one first. */
  readonly recent: readonly Sample[];
  /** Files that were skipped because of a limit although they may be samples. */
  readonly skipped: Exclude<SkippedFile, { readonly kind: 'too long' }> | undefined;
}

const noSamples: SampleSet = {
  all: [],
  invalid: [],
  current: undefined,
  recent: [],
  skipped: undefined,
};

/** Returns all samples: the selected ones, the last one first, then the others. */
export const recentFirst = ({ all, recent }: SampleSet): readonly Sample[] => {
  const selected = new Set(recent);
  return [...recent, ...all.filter((sample) => !selected.has(sample))];
};

/** The samples for the configurations of a workspace folder. */
export interface SampleScope {
  /** URI of the workspace folder; absent for configurations outside of all folders. */
  readonly folder: string | undefined;
  /** URIs of sample folders that settings name, each with a slash at its end. */
  readonly sampleFolders: readonly string[];
}

export type SampleStore = ReturnType<typeof createSampleStore>;

/** `onEdit` is called after a sample was added, removed or selected. */
export const createSampleStore = (onEdit: () => void) => {
  let filesByUri = new Map<string, SampleFileState>();
  const memorySamples = new Map<string, Sample>();
  let memoryCount = 0;
  let selection: Selection = { recent: [], isNone: false };
  let skipped: SampleSet['skipped'];
  let set = noSamples;
  const scopedSets = new Map<string, SampleSet>();

  const rebuild = (): void => {
    set = {
      ...buildSampleSet([...filesByUri.values()], [...memorySamples.values()], selection),
      skipped,
    };
    scopedSets.clear();
  };
  const rebuildAfterEdit = (): void => {
    rebuild();
    onEdit();
  };

  const find = (named: string | undefined): Sample | undefined =>
    set.all.find((sample) => sample.id === named) ??
    set.all.find((sample) => sample.name === named);
  /** Returns the current sample, and the IDs of all that were selected, the last one last. */
  const selectedBy = ({ id, name, earlier = [] }: ChooseSample) => {
    const chosen = find(id) ?? find(name);
    const ids = [...earlier.map(find), chosen].flatMap((sample) => sample?.id ?? []);
    return { chosen, ids };
  };

  return {
    get set(): SampleSet {
      return set;
    },
    /** Returns the samples that count for configurations of a scope. */
    setIn(scope: SampleScope): SampleSet {
      const key = [scope.folder, ...scope.sampleFolders].join(' ');
      const known = scopedSets.get(key);
      if (known !== undefined) return known;
      const scoped = scopedSet(set, scope, selection);
      scopedSets.set(key, scoped);
      return scoped;
    },
    answer(of: SampleSet = set): SamplesAnswer {
      const samples = rowsOf(of);
      const current = of.current?.id;
      return samples.length > 0
        ? { samples, current }
        : { samples, current, problem: problems.noSamples };
    },
    /**
     * Replaces the sample files with their current contents, which for open documents are those of
     * the editor.
     */
    setFiles(
      files: readonly SampleFile[],
      { isTruncated }: { readonly isTruncated: boolean },
    ): void {
      const first = files[limits.sampleFiles];
      if (first !== undefined) skipped = { kind: 'too many', uri: first.uri };
      else skipped = isTruncated ? { kind: 'search truncated' } : undefined;
      filesByUri = readFiles(files.slice(0, limits.sampleFiles), filesByUri);
      rebuild();
    },
    /** Adds claims for this session. */
    remember(request: MemorySample): { readonly id: string } | { readonly problem: string } {
      if (memorySamples.size >= limits.memorySamples) {
        return { problem: `no more than ${limits.memorySamples} samples can be held in memory` };
      }
      const parsed = parseMemorySample(request);
      if (typeof parsed === 'string') return { problem: parsed };
      memoryCount += 1;
      const id = `memory:${memoryCount}`;
      memorySamples.set(id, { id, ...parsed });
      rebuildAfterEdit();
      return { id };
    },
    drop(id: string): boolean {
      const dropped = memorySamples.delete(id);
      if (dropped) {
        selection = { ...selection, recent: selection.recent.filter((other) => other !== id) };
        rebuildAfterEdit();
      }
      return dropped;
    },
    /** Returns false if there is no such sample; those selected before are applied even then. */
    choose(choice: ChooseSample): boolean {
      const isNone = choice.id === undefined && choice.name === undefined;
      const { chosen, ids } = selectedBy(choice);
      if (isNone || ids.length > 0) {
        selection = { recent: isNone ? [] : latestFirst(selection.recent, ids), isNone };
        rebuildAfterEdit();
      }
      return isNone || chosen !== undefined;
    },
    /** Applies a choice that was made before the current selection. */
    restore(choice: ChooseSample): void {
      if (selection.isNone) return;
      const { ids } = selectedBy(choice);
      selection = {
        ...selection,
        recent: latestFirst(ids.toReversed(), selection.recent.toReversed()),
      };
      rebuildAfterEdit();
    },
  };
};

interface SampleFileState extends SampleFile {
  /** The claims of the last valid version of the file. */
  readonly claims: Pick<Sample, 'claims' | 'document'> | undefined;
  readonly problem: Pick<InvalidSample, 'problem' | 'place'> | undefined;
}

interface Selection {
  /** IDs of the samples that were selected, the last one first; if empty, the first sample is current. */
  readonly recent: readonly string[];
  /** Whether no sample is current. */
  readonly isNone: boolean;
}

/** `selected` has the last one last. */
const latestFirst = (recent: readonly string[], selected: readonly string[]): readonly string[] =>
  [...new Set([...selected.toReversed(), ...recent])].slice(0, limits.recentSamples);

const readFiles = (
  files: readonly SampleFile[],
  before: ReadonlyMap<string, SampleFileState>,
): Map<string, SampleFileState> =>
  new Map(
    files.map((file) => {
      const previous = before.get(file.uri);
      const isSame = previous !== undefined && previous.text === file.text;
      return [file.uri, isSame ? { ...previous, ...file } : readFile(file, previous)];
    }),
  );

/** Parses the text of a sample file. */
export const parseSampleFile = (uri: string, text: string) => {
  const source = sourceFile(uri, text);
  const as = /\.json$/i.test(uri) ? 'json' : 'yaml';
  return { source, ...readSample(source, { as }) };
};

const readFile = (file: SampleFile, before: SampleFileState | undefined): SampleFileState => {
  const { uri, text } = file;
  if (text === undefined || text.length > limits.sampleLength) {
    const problem = `the file can't be read or is longer than ${limits.sampleLength} characters`;
    return { ...file, claims: undefined, problem: { problem, place: undefined } };
  }
  const { source, document, claims, problem } = parseSampleFile(uri, text);
  if (claims !== undefined) return { ...file, claims: { document, claims }, problem: undefined };
  return {
    ...file,
    claims: before?.claims,
    problem: problem && { problem: problem.message, place: { source, span: problem.span } },
  };
};

/**
 * Returns an error message if the sample is invalid. The message never quotes the claims, which may
 * contain a secret.
 */
export const parseMemorySample = ({
  name,
  claims,
  signature,
}: MemorySample): Omit<Sample, 'id'> | string => {
  if (name === '' || name.length > limits.nameLength) {
    return `a sample has a name of at most ${limits.nameLength} characters`;
  }
  if (claims.length > limits.sampleLength) {
    return `the claims are longer than ${limits.sampleLength} characters`;
  }
  if ([name, claims, signature ?? ''].some((text) => findTokens(text).length > 0)) {
    return 'this is or contains a token; send only its claims';
  }
  const read = readClaims(new TextEncoder().encode(claims));
  if (read === undefined) return 'the claims are not a JSON object';
  return {
    name,
    claims: read,
    ...(signature === undefined ? {} : { signature: signature.slice(0, limits.nameLength) }),
  };
};

const buildSampleSet = (
  files: readonly SampleFileState[],
  memorySamples: readonly Sample[],
  selection: Selection,
): Omit<SampleSet, 'skipped'> => {
  const nameOf = uniqueNames(files);
  const identityOf = (file: SampleFile): Pick<Sample, 'id' | 'name' | 'folder'> => ({
    id: file.uri,
    name: nameOf(file),
    ...(file.folder === undefined ? {} : { folder: file.folder.uri }),
  });
  const read = files.flatMap((file): readonly Sample[] =>
    file.claims === undefined ? [] : [{ ...identityOf(file), ...file.claims }],
  );
  const all = [...read, ...memorySamples].sort(byName);
  const invalid = files
    .flatMap((file) =>
      file.problem === undefined ? [] : [{ ...identityOf(file), ...file.problem }],
    )
    .sort(byName);
  return { all, invalid, ...selectedOf(all, selection) };
};

const selectedOf = (
  all: readonly Sample[],
  { recent: ids, isNone }: Selection,
): Pick<SampleSet, 'current' | 'recent'> => {
  const byId = new Map(all.map((sample) => [sample.id, sample]));
  const recent = ids.flatMap((id) => byId.get(id) ?? []);
  return { recent, current: isNone ? undefined : (recent[0] ?? all[0]) };
};

/**
 * Returns the samples of the folder and of its sample folders. A folder without any uses those of
 * the whole workspace. Samples outside of all folders count everywhere.
 */
const scopedSet = (
  set: SampleSet,
  { folder, sampleFolders }: SampleScope,
  selection: Selection,
): SampleSet => {
  if (folder === undefined) return set;
  const isOwn = (sample: Pick<Sample, 'id' | 'folder'>): boolean =>
    sample.folder === folder || sampleFolders.some((start) => sample.id.startsWith(start));
  if (![...set.all, ...set.invalid].some(isOwn)) return set;
  const counts = (sample: Pick<Sample, 'id' | 'folder'>): boolean =>
    sample.folder === undefined || isOwn(sample);
  const all = set.all.filter(counts);
  return { ...set, all, invalid: set.invalid.filter(counts), ...selectedOf(all, selection) };
};

interface Named {
  readonly id: string;
  readonly name: string;
}

const byName = (a: Named, b: Named): number => {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.id < b.id ? -1 : 1;
};

const uniqueNames = (files: readonly SampleFile[]): ((file: SampleFile) => string) => {
  const filesByName = Map.groupBy(files, ({ path, folder }) => `${folder?.uri} ${shortName(path)}`);
  const nameInFolder = ({ path, folder }: SampleFile): string => {
    const short = shortName(path);
    const sharing = filesByName.get(`${folder?.uri} ${short}`) ?? [];
    return sharing.length > 1 ? withoutExtension(path) : short;
  };
  const foldersByName = new Map<string, Set<string | undefined>>();
  for (const file of files) {
    const name = nameInFolder(file);
    foldersByName.set(name, (foldersByName.get(name) ?? new Set()).add(file.folder?.uri));
  }
  return (file) => {
    const name = nameInFolder(file);
    const isShared = (foldersByName.get(name)?.size ?? 0) > 1;
    return isShared && file.folder !== undefined ? `${file.folder.label} · ${name}` : name;
  };
};

const shortName = (path: string): string => withoutExtension(path.slice(path.lastIndexOf('/') + 1));

const withoutExtension = (path: string): string =>
  path.replace(/(?:\.claims)?\.(?:json|ya?ml)$/i, '');

const rowsOf = ({ all, invalid }: SampleSet): readonly SampleRow[] => {
  const problems = new Map(invalid.map(({ id, problem }) => [id, problem]));
  const read = new Set(all.map(({ id }) => id));
  const rows = all.map(({ id, name, document, claims, signature }): SampleRow => {
    const problem = problems.get(id);
    return {
      id,
      name,
      ...(document === undefined ? {} : { uri: id }),
      ...expiryAndIssuer(claims),
      ...(signature === undefined ? {} : { signature }),
      ...(problem === undefined ? {} : { problem }),
    };
  });
  const others = invalid
    .filter(({ id }) => !read.has(id))
    .map(({ id, name, problem }): SampleRow => ({ id, name, uri: id, problem }));
  return [...rows, ...others].sort(byName);
};

const expiryAndIssuer = (claims: ClaimSet): Pick<SampleRow, 'expires' | 'issuer'> => {
  const expires = ownClaim(claims, 'exp');
  const issuer = ownClaim(claims, 'iss');
  return {
    ...(typeof expires === 'number' ? { expires } : {}),
    ...(typeof issuer === 'string' ? { issuer: issuer.slice(0, limits.nameLength) } : {}),
  };
};
