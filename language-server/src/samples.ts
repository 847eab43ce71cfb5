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
import type { PassedOver } from './closed-configurations.ts';
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
export interface UnreadSample {
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
  readonly unread: readonly UnreadSample[];
  readonly chosen: Sample | undefined;
  /** Files that a limit kept from being looked at, though they may be samples. */
  readonly passedOver: Exclude<PassedOver, { readonly kind: 'too long' }> | undefined;
}

const noSamples: SampleSet = { all: [], unread: [], chosen: undefined, passedOver: undefined };

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
  setFiles(files: readonly SampleFile[], found: { readonly isCut: boolean }): void;
  /** Keeps claims for the session. */
  remember(sample: MemorySample): { readonly id: string } | { readonly problem: string };
  drop(id: string): boolean;
  /** False where there is no such sample. */
  choose(choice: ChooseSample): boolean;
  readonly answer: SamplesAnswer;
}

export const createSampleStore = (): SampleStore => {
  let readings = new Map<string, ReadFile>();
  const remembered = new Map<string, Sample>();
  let made = 0;
  let choice: Choice = { kind: 'first' };
  let passedOver: SampleSet['passedOver'];
  let set = noSamples;

  const renew = (): void => {
    set = { ...setOf([...readings.values()], [...remembered.values()], choice), passedOver };
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
    setFiles(files, { isCut }) {
      const first = files[limits.sampleFiles];
      if (first !== undefined) passedOver = { kind: 'too many', uri: first.uri };
      else passedOver = isCut ? { kind: 'not found' } : undefined;
      readings = readFiles(files.slice(0, limits.sampleFiles), readings);
      renew();
    },
    remember(asked) {
      if (remembered.size >= limits.memorySamples) {
        return { problem: `no more than ${limits.memorySamples} samples are kept in memory` };
      }
      const read = readMemory(asked);
      if (typeof read === 'string') return { problem: read };
      made += 1;
      const id = `memory:${made}`;
      remembered.set(id, { id, ...read });
      renew();
      return { id };
    },
    drop(id) {
      const dropped = remembered.delete(id);
      if (dropped) renew();
      return dropped;
    },
    choose({ id, name }) {
      if (id === undefined && name === undefined) choice = { kind: 'none' };
      else {
        const found = set.all.find((sample) => sample.id === id || sample.name === name);
        if (found === undefined) return false;
        choice = { kind: 'id', id: found.id };
      }
      renew();
      return true;
    },
  };
};

interface ReadFile extends SampleFile {
  /** As it was when it could last be read. */
  readonly claims: Pick<Sample, 'claims' | 'document'> | undefined;
  readonly problem: Pick<UnreadSample, 'problem' | 'place'> | undefined;
}

type Choice =
  /** Nobody chose yet. */
  | { readonly kind: 'first' }
  | { readonly kind: 'none' }
  | { readonly kind: 'id'; readonly id: string };

const readFiles = (
  files: readonly SampleFile[],
  before: ReadonlyMap<string, ReadFile>,
): Map<string, ReadFile> =>
  new Map(
    files.map((file) => {
      const known = before.get(file.uri);
      const isSame = known !== undefined && known.text === file.text && known.path === file.path;
      return [file.uri, isSame ? known : readFile(file, known)];
    }),
  );

const readFile = (file: SampleFile, before: ReadFile | undefined): ReadFile => {
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
const readMemory = ({ name, claims, signature }: MemorySample): Omit<Sample, 'id'> | string => {
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

const setOf = (
  files: readonly ReadFile[],
  remembered: readonly Sample[],
  choice: Choice,
): Omit<SampleSet, 'passedOver'> => {
  const nameOf = naming(files);
  const read = files.flatMap((file): readonly Sample[] =>
    file.claims === undefined ? [] : [{ id: file.uri, name: nameOf(file), ...file.claims }],
  );
  const all = [...read, ...remembered].sort(byName);
  const unread = files
    .flatMap((file) =>
      file.problem === undefined ? [] : [{ id: file.uri, name: nameOf(file), ...file.problem }],
    )
    .sort(byName);
  return { all, unread, chosen: chosenOf(all, choice) };
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

const naming = (files: readonly SampleFile[]): ((file: SampleFile) => string) => {
  const counts = new Map<string, number>();
  for (const { path } of files) counts.set(shortName(path), (counts.get(shortName(path)) ?? 0) + 1);
  return ({ path }) => {
    const short = shortName(path);
    return (counts.get(short) ?? 0) > 1 ? withoutEnding(path) : short;
  };
};

const shortName = (path: string): string => withoutEnding(path.slice(path.lastIndexOf('/') + 1));

const withoutEnding = (path: string): string => path.replace(/(?:\.claims)?\.(?:json|ya?ml)$/i, '');

const rowsOf = ({ all, unread }: SampleSet): readonly SampleRow[] => {
  const problems = new Map(unread.map(({ id, problem }) => [id, problem]));
  const read = new Set(all.map(({ id }) => id));
  const rows = all.map(({ id, name, document, claims, signature }): SampleRow => {
    const problem = problems.get(id);
    return {
      id,
      name,
      ...(document === undefined ? {} : { uri: id }),
      ...timesOf(claims),
      ...(signature === undefined ? {} : { signature }),
      ...(problem === undefined ? {} : { problem }),
    };
  });
  const others = unread
    .filter(({ id }) => !read.has(id))
    .map(({ id, name, problem }): SampleRow => ({ id, name, uri: id, problem }));
  return [...rows, ...others].sort(byName);
};

const timesOf = (claims: ClaimSet): Pick<SampleRow, 'expires' | 'issuer'> => {
  const expires = ownClaim(claims, 'exp');
  const issuer = ownClaim(claims, 'iss');
  return {
    ...(typeof expires === 'number' ? { expires } : {}),
    ...(typeof issuer === 'string' ? { issuer: issuer.slice(0, limits.nameLength) } : {}),
  };
};
