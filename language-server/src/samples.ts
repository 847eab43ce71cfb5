/** Sample identities: named sets of claims, from files of the workspace or held in memory. */
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
import { limits } from './limits.ts';
import type { ChooseSample, MemorySample, SampleRow, SamplesAnswer } from './protocol.ts';
import { problems } from './unavailable-reasons.ts';

export interface Sample {
  /** The file's URI, or `memory:` and a number. */
  readonly id: string;
  /** `jane` of `jane.claims.yaml`; with its folder where several files are called so. */
  readonly name: string;
  /** Absent for what was pasted: it stands in no file. */
  readonly document?: ConfigDocument;
  readonly claims: ClaimSet;
  /** What the client says of the token's signature. */
  readonly signature?: string;
}

/** A file that should be a sample, and why it is none. */
export interface InvalidSample {
  readonly id: string;
  readonly name: string;
  readonly problem: string;
  /** Where it stands in the file, if in one place. */
  readonly place: { readonly source: SourceFile; readonly span: Span } | undefined;
}

export interface SampleSet {
  /** By name. */
  readonly all: readonly Sample[];
  /** A file that is being typed may also stand in `all`, as it was when it was last whole. */
  readonly invalid: readonly InvalidSample[];
  readonly chosen: Sample | undefined;
  /** Files that a limit kept from being looked at, though they may be samples. */
  readonly skipped: Exclude<SkippedFile, { readonly kind: 'too long' }> | undefined;
}

const noSamples: SampleSet = { all: [], invalid: [], chosen: undefined, skipped: undefined };

/** All of them, the chosen one before the others. */
export const chosenFirst = ({ all, chosen }: SampleSet): readonly Sample[] =>
  chosen === undefined ? all : [chosen, ...all.filter((sample) => sample !== chosen)];

/** A file that should hold a sample. */
export interface SampleFile {
  readonly uri: string;
  /** Below its folder. */
  readonly path: string;
  readonly text: string | undefined;
}

export interface SampleStore {
  readonly set: SampleSet;
  /** Takes over the files as they are now, open ones as they stand in the editor. */
  setFiles(files: readonly SampleFile[], found: { readonly isTruncated: boolean }): void;
  /** Keeps claims for the session. */
  remember(sample: MemorySample): { readonly id: string } | { readonly problem: string };
  drop(id: string): boolean;
  /** False where there is no such sample. */
  choose(choice: ChooseSample): boolean;
  readonly answer: SamplesAnswer;
}

export const createSampleStore = (): SampleStore => {
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

  return {
    get set() {
      return set;
    },
    get answer() {
      const samples = rowsOf(set);
      const chosen = set.chosen?.id;
      return samples.length > 0
        ? { samples, chosen }
        : { samples, chosen, problem: problems.noSamples };
    },
    setFiles(files, { isTruncated }) {
      const first = files[limits.sampleFiles];
      if (first !== undefined) skipped = { kind: 'too many', uri: first.uri };
      else skipped = isTruncated ? { kind: 'not found' } : undefined;
      filesByUri = readFiles(files.slice(0, limits.sampleFiles), filesByUri);
      rebuild();
    },
    remember(request) {
      if (memorySamples.size >= limits.memorySamples) {
        return { problem: `no more than ${limits.memorySamples} samples are kept in memory` };
      }
      const parsed = parseMemorySample(request);
      if (typeof parsed === 'string') return { problem: parsed };
      memoryCount += 1;
      const id = `memory:${memoryCount}`;
      memorySamples.set(id, { id, ...parsed });
      rebuild();
      return { id };
    },
    drop(id) {
      const dropped = memorySamples.delete(id);
      if (dropped) rebuild();
      return dropped;
    },
    choose({ id, name }) {
      if (id === undefined && name === undefined) choice = { kind: 'none' };
      else {
        const found = set.all.find((sample) => sample.id === id || sample.name === name);
        if (found === undefined) return false;
        choice = { kind: 'id', id: found.id };
      }
      rebuild();
      return true;
    },
  };
};

interface SampleFileState extends SampleFile {
  /** As it was when it could last be read. */
  readonly claims: Pick<Sample, 'claims' | 'document'> | undefined;
  readonly problem: Pick<InvalidSample, 'problem' | 'place'> | undefined;
}

type Choice =
  /** Nobody chose yet. */
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

const readFile = (file: SampleFile, before: SampleFileState | undefined): SampleFileState => {
  const { uri, text } = file;
  if (text === undefined || text.length > limits.sampleLength) {
    const problem = `the file cannot be read, or is longer than ${limits.sampleLength} characters`;
    return { ...file, claims: undefined, problem: { problem, place: undefined } };
  }
  const source = sourceFile(uri, text);
  const as = /\.json$/i.test(uri) ? 'json' : 'yaml';
  const { document, claims, problem } = readSample(source, { as });
  if (claims !== undefined) return { ...file, claims: { document, claims }, problem: undefined };
  return {
    ...file,
    claims: before?.claims,
    problem: problem && { problem: problem.message, place: { source, span: problem.span } },
  };
};

/** A text says why not. What was given is never quoted: it may hold a secret. */
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
    return 'this is a token, or holds one; send the claims that stand in it alone';
  }
  const read = readClaims(new TextEncoder().encode(claims));
  if (read === undefined) return 'the claims are no JSON object';
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
