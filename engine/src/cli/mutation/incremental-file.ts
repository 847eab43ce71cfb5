/**
 * The results of earlier runs in a file, so that unchanged mutants are not run again. A key is the digest
 * of everything that the result depends on: the program, the settings, the configuration, the change and
 * the cases.
 */
import { hash } from 'node:crypto';
import type { Compilation } from '../../compile/compile.ts';
import type { JsonObject } from '../../formats/json-with-shape.ts';
import { productVersion } from '../../model/product-version.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { MutantStatus } from '../../simulate/mutation/mutant.ts';
import type { MutantCache, MutantResult } from '../../simulate/mutation/run-mutants.ts';
import { resolveBounded } from '../bounded-paths.ts';
import { userData } from '../decision-data.ts';
import type { Io } from '../io.ts';
import type { NamedCase } from './suite-runs.ts';

/** Incremented when the format changes; a file of another version is not used. */
const incrementalVersion = 1;

/** A larger file is not one that this program wrote. */
const maxFileBytes = 64 * 1024 * 1024;

/** Requests are decided with no larger file. */
const maxNamedFileBytes = 4 * 1024 * 1024;

type StoredResult = Pick<MutantResult, 'status' | 'reason' | 'witness'>;

export interface IncrementalResults {
  cacheFor(compilation: Compilation, cases: readonly NamedCase[]): Promise<MutantCache>;
  /** The text of the file with the results of this run. */
  text(): string;
}

/** Reads the file; a file that does not exist, or that cannot be used, has no results. */
export const readIncremental = async (path: string, io: Io): Promise<IncrementalResults> => {
  const file = await io.readText(path, maxFileBytes);
  const known = file.kind === 'text' ? storedResults(file.text) : new Map<string, StoredResult>();
  const used = new Map<string, StoredResult>();
  return {
    async cacheFor(compilation, cases) {
      const base = digest([
        productVersion,
        compilation.settings,
        compilation.document.source.text,
        cases.map(({ id, test, suite }) => [id, test, suite.file.environment]),
        await namedFiles(cases, io),
      ]);
      return {
        get(mutant) {
          const key = digest([base, mutant.text()]);
          const result = known.get(key);
          if (result !== undefined) used.set(key, result);
          return result;
        },
        set(mutant, { status, reason, witness }) {
          used.set(digest([base, mutant.text()]), {
            status,
            ...(reason === undefined ? {} : { reason }),
            ...(witness === undefined ? {} : { witness }),
          });
        },
      };
    },
    text: () =>
      `${JSON.stringify({ version: incrementalVersion, results: Object.fromEntries([...used].map(([key, result]) => [key, storedData(result)])) }, undefined, 1)}\n`,
  };
};

/** Returns the contents of the files that whole requests are decided with, by path. */
const namedFiles = async (cases: readonly NamedCase[], io: Io): Promise<unknown> => {
  const paths = new Set<string>();
  for (const { suite, test } of cases) {
    const { flags, objects } = suite.file.environment;
    const written = [
      // A value that is no path is no file either.
      ...flags.map(({ text }) => text.slice(text.indexOf('=') + 1)),
      ...objects.map(({ text }) => text),
      ...certificatePaths(test),
    ];
    for (const one of written) {
      const target = resolveBounded(suite.folder, one);
      if (target.kind === 'path') paths.add(target.path);
    }
  }
  const files: unknown[] = [];
  for (const path of paths) {
    const file = await io.readText(path, maxNamedFileBytes);
    files.push([path, file.kind === 'text' ? digest(file.text) : file.reason]);
  }
  return files;
};

const certificatePaths = ({ input }: NamedCase['test']): readonly string[] => {
  const certificate = input.kind === 'request' ? input.request.certificate : undefined;
  return certificate?.kind === 'file' ? [certificate.path] : [];
};

const digest = (data: unknown): string => hash('sha256', JSON.stringify(data, withMaps));

const withMaps = (_: string, value: unknown): unknown => {
  if (value instanceof Map) return { map: [...value] };
  return typeof value === 'bigint' ? { integer: String(value) } : value;
};

const storedData = ({ status, reason, witness }: StoredResult): object => ({
  status,
  reason,
  ...(witness === undefined
    ? {}
    : {
        witness: {
          ...witness,
          before: userData(witness.before),
          after: userData(witness.after),
        },
      }),
});

/** Reads the results; entries of another form are left out. */
const storedResults = (text: string): ReadonlyMap<string, StoredResult> => {
  const data = parse(text);
  if (!isRecord(data) || data.version !== incrementalVersion || !isRecord(data.results))
    return new Map();
  const results = Object.entries(data.results).flatMap(
    ([key, value]): readonly (readonly [string, StoredResult])[] => {
      const result = readResult(value);
      return result === undefined ? [] : [[key, result]];
    },
  );
  return new Map(results);
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const statuses: ReadonlySet<unknown> = new Set<MutantStatus>([
  'Killed',
  'Survived',
  'NoCoverage',
  'CompileError',
  'Ignored',
]);
const isStatus = (value: unknown): value is MutantStatus => statuses.has(value);

const readResult = (value: unknown): StoredResult | undefined => {
  if (!isRecord(value) || !isStatus(value.status)) return undefined;
  const { status, reason } = value;
  if (reason !== undefined && typeof reason !== 'string') return undefined;
  const base = { status, ...(reason === undefined ? {} : { reason }) };
  if (value.witness === undefined) return base;
  const witness = readWitness(value.witness);
  return witness === undefined ? undefined : { ...base, witness };
};

const readWitness = (value: unknown): StoredResult['witness'] | undefined => {
  if (!isRecord(value)) return undefined;
  const { kind, claims, request } = value;
  if (kind !== 'gained' && kind !== 'lost' && kind !== 'changed') return undefined;
  const before = readUser(value.before);
  const after = readUser(value.after);
  if (before === undefined || after === undefined) return undefined;
  if (isClaims(claims)) return { kind, claims, before, after };
  return isRecord(request) && typeof request.path === 'string'
    ? { kind, request: { path: request.path }, before, after }
    : undefined;
};

const readUser = (value: unknown): UserInfo | null | undefined => {
  if (value === null) return null;
  if (!isRecord(value) || !isStrings(value.groups) || !isRecord(value.extra)) return undefined;
  const { username, uid, groups } = value;
  if (typeof username !== 'string' || typeof uid !== 'string') return undefined;
  const extra = new Map<string, readonly string[]>();
  for (const [key, values] of Object.entries(value.extra)) {
    if (!isStrings(values)) return undefined;
    extra.set(key, values);
  }
  return { username, uid, groups, extra };
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Claims were parsed from JSON. */
const isClaims = (value: unknown): value is JsonObject => isRecord(value);

const isStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
