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
  /** `jane` for `jane.claims.yaml`; includes the folder if several files share the name. */
  readonly name: string;
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
  readonly problem: string;
  /** The location of the error, if it has one. */
  readonly place: { readonly source: SourceFile; readonly span: Span } | undefined;
}

export interface SampleSet {
  /** Sorted by name. */
  readonly all: readonly Sample[];
  /** An incomplete file may also be in `all`, in its last valid form. */
  readonly invalid: readonly InvalidSample[];
  readonly chosen: Sample | undefined;
  /** Files that were skipped because of a limit although they may be samples. */
  readonly skipped: Exclude<SkippedFile, { readonly kind: 'too long' }> | undefined;
}

const noSamples: SampleSet = { all: [], invalid: [], chosen: undefined, skipped: undefined };

/** Returns all samples, the current one first. */
export const chosenFirst = ({ all, chosen }: SampleSet): readonly Sample[] =>
  chosen === undefined ? all : [chosen, ...all.filter((sample) => sample !== chosen)];

export type SampleStore = ReturnType<typeof createSampleStore>;

/** `onEdit` is called after a sample was added, removed or selected. */
export const createSampleStore = (onEdit: () => void) => {
  let filesByUri = new Map<string, SampleFileState>();
  const memorySamples = new Map<string, Sample>();
  let memoryCount = 0;
  let choice: Choice = { kind: 'first' };
  let skipped: SampleSet['skipped'];
  let set = noSamples;

  const rebuild = (): void => {
    set = {
      ...buildSampleSet([...filesByUri.values()], [...memorySamples.values()], choice),
      skipped,
    };
  };
  const rebuildAfterEdit = (): void => {
    rebuild();
    onEdit();
  };

  return {
    get set(): SampleSet {
      return set;
    },
    get answer(): SamplesAnswer {
      const samples = rowsOf(set);
      const chosen = set.chosen?.id;
      return samples.length > 0
        ? { samples, chosen }
        : { samples, chosen, problem: problems.noSamples };
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
      if (dropped) rebuildAfterEdit();
      return dropped;
    },
    /** Returns false if there is no such sample. */
    choose({ id, name }: ChooseSample): boolean {
      if (id === undefined && name === undefined) choice = { kind: 'none' };
      else {
        const found = set.all.find((sample) => sample.id === id || sample.name === name);
        if (found === undefined) return false;
        choice = { kind: 'id', id: found.id };
      }
      rebuildAfterEdit();
      return true;
    },
  };
};

interface SampleFileState extends SampleFile {
  /** The claims of the last valid version of the file. */
  readonly claims: Pick<Sample, 'claims' | 'document'> | undefined;
  readonly problem: Pick<InvalidSample, 'problem' | 'place'> | undefined;
}

type Choice =
  /** No sample was selected yet, so the first one is current. */
  | { readonly kind: 'first' }
  | { readonly kind: 'none' }
  | { readonly kind: 'id'; readonly id: string };

const readFiles = (
  files: readonly SampleFile[],
  before: ReadonlyMap<string, SampleFileState>,
): Map<string, SampleFileState> =>
  new Map(
    files.map((file) => {
      const previous = before.get(file.uri);
      const isSame =
        previous !== undefined && previous.text === file.text && previous.path === file.path;
      return [file.uri, isSame ? previous : readFile(file, previous)];
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
const parseMemorySample = ({
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
  choice: Choice,
): Omit<SampleSet, 'skipped'> => {
  const nameOf = uniqueNames(files);
  const read = files.flatMap((file): readonly Sample[] =>
    file.claims === undefined ? [] : [{ id: file.uri, name: nameOf(file), ...file.claims }],
  );
  const all = [...read, ...memorySamples].sort(byName);
  const invalid = files
    .flatMap((file) =>
      file.problem === undefined ? [] : [{ id: file.uri, name: nameOf(file), ...file.problem }],
    )
    .sort(byName);
  return { all, invalid, chosen: chosenOf(all, choice) };
};

const chosenOf = (all: readonly Sample[], choice: Choice): Sample | undefined => {
  if (choice.kind === 'none') return undefined;
  const found = choice.kind === 'id' ? all.find(({ id }) => id === choice.id) : undefined;
  return found ?? all[0];
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
  const counts = new Map<string, number>();
  for (const { path } of files) counts.set(shortName(path), (counts.get(shortName(path)) ?? 0) + 1);
  return ({ path }) => {
    const short = shortName(path);
    return (counts.get(short) ?? 0) > 1 ? withoutExtension(path) : short;
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
