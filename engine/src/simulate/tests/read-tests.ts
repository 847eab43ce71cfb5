/**
 * Reads a test file. Never throws: mistakes are diagnostics, and every case without a mistake is
 * returned.
 */
import { type RowMap, RowReader } from '../../config/rows/read-rows.ts';
import { jsonText } from '../../documents/yaml/json-text.ts';
import { parseGoRfc3339 } from '../../formats/go-rfc3339.ts';
import { parseRelease } from '../../model/release.ts';
import type { SourceFile } from '../../source/source-file.ts';
import {
  type ClaimContext,
  type ClaimWork,
  claimsOf,
  completeClaims,
  maxClaimSteps,
  maxPayloadLength,
  setsClaims,
} from './claim-layers.ts';
import { invalidTest, unknownTestField } from './findings.ts';
import { outcomeFields, readExpected } from './read-expected.ts';
import { defaultSigning, readRequest, readSigning } from './read-request.ts';
import { emptyMap, mapOf, mapsOf, textOf, writtenListOf, writtenOf } from './row-fields.ts';
import type { TestCase, TestInput } from './test-case.ts';
import type {
  ExpandedTests,
  RawClaims,
  SampleReference,
  TestEnvironment,
  TestFile,
  TestInputs,
} from './test-file.ts';
import { maxTestCases, testRows } from './test-rows.ts';

/** The time of cases without a time. */
const defaultTestTime = Date.UTC(2026, 0, 1);

/** The longest payloads of all cases together. */
const maxPayloads = 64 * 1024 * 1024;

/** `presets` are the names of the claims of providers. */
export const readTests = (source: SourceFile, presets: readonly string[]): TestFile => {
  const reader = new RowReader(source, readerOptions);
  const file = reader.read(testRows(presets));
  const samples = samplesOf(file, reader);
  const diagnostics = reader.diagnostics();
  const version = textOf(file, 'targetVersion');
  return {
    source,
    diagnostics,
    configuration: writtenOf(file, 'configuration'),
    targetRelease: version === undefined ? undefined : parseRelease(version),
    environment: environmentOf(file),
    samples: [...samples.values()].filter(isReference),
    expand(inputs) {
      const own = new RowReader(source, readerOptions);
      const cases = expandFile(file, { inputs, reader: own, samples, work: newWork() });
      return { cases, diagnostics: own.diagnostics() };
    },
  };
};

export const readerOptions = {
  what: 'a test file',
  content: 'tests',
  unknown: unknownTestField,
  invalid: invalidTest,
};

export const environmentOf = (file: RowMap): TestEnvironment => ({
  flags: writtenListOf(file, 'flags'),
  objects: writtenListOf(file, 'objects'),
});

type Samples = ClaimContext['samples'];

const isReference = (sample: RawClaims | SampleReference): sample is SampleReference =>
  'paths' in sample;

/** Returns the samples of the file by name; those that are only named are files next to it. */
const samplesOf = (file: RowMap, reader: Pick<RowReader, 'invalid'>): Samples => {
  const samples = new Map<string, RawClaims | SampleReference>();
  for (const [name, value] of mapOf(file, 'samples')?.fields ?? []) {
    if (value.kind === 'string') samples.set(name, { name, span: value.span, paths: [value.text] });
    if (value.kind !== 'data') continue;
    const claims = new Map<string, string>();
    for (const [claim, entry] of value.data.byKey) {
      const text = jsonText(entry.value, maxSampleLength);
      if (text !== undefined) claims.set(claim, text);
      else
        reader.invalid(value.span, { path: `samples.${name}`, problem: 'the claims are too long' });
    }
    samples.set(name, claims);
  }
  for (const layer of layersOf(file)) {
    const named = writtenOf(layer, 'sample');
    if (named === undefined || samples.has(named.text)) continue;
    const paths = ['json', 'yaml'].map((type) => `${named.text}.claims.${type}`);
    samples.set(named.text, { name: named.text, span: named.span, paths });
  }
  return samples;
};

const maxSampleLength = 1024 * 1024;

/** Returns the maps that may name samples. */
const layersOf = (file: RowMap): readonly RowMap[] => [
  mapOf(file, 'base') ?? emptyMap,
  ...mapsOf(file, 'tests').flatMap((test) => [test, ...mapsOf(test, 'rows')]),
];

export interface ExpandContext {
  readonly inputs: TestInputs;
  readonly reader: RowReader;
  readonly samples: Samples;
  readonly work: ClaimWork;
  /** The time of input without a time; that of `iat`, or a fixed one, if absent. */
  readonly defaultNow?: number;
}

export const newWork = (): ClaimWork => ({ steps: 0, characters: 0, built: new Map() });

const expandFile = (file: RowMap, context: ExpandContext): ExpandedTests['cases'] => {
  const cases: TestCase[] = [];
  const { work } = context;
  for (const test of mapsOf(file, 'tests')) {
    const rows = mapsOf(test, 'rows');
    for (const [index, row] of (rows.length === 0 ? [undefined] : rows).entries()) {
      const problem =
        cases.length >= maxTestCases
          ? `a file has at most ${maxTestCases} cases, rows included`
          : work.characters > maxPayloads
            ? `the claims of all cases are longer than ${maxPayloads} characters`
            : work.steps > maxClaimSteps
              ? `all cases together have more than ${maxClaimSteps} claims, those of base included`
              : undefined;
      if (problem !== undefined) {
        const help = 'Split the file.';
        context.reader.invalid(test.span, { path: test.path, problem, help });
        return cases;
      }
      const name = textOf(test, 'name') ?? '';
      const rowName = row && (textOf(row, 'name') ?? `row ${index + 1}`);
      const expanded = expandCase({ file, test, row }, context);
      if (expanded === undefined) continue;
      cases.push({ name: rowName === undefined ? name : `${name} / ${rowName}`, ...expanded });
    }
  }
  return cases;
};

interface CaseMaps {
  readonly file: RowMap;
  readonly test: RowMap;
  readonly row: RowMap | undefined;
}

const expandCase = (
  { file, test, row = emptyMap }: CaseMaps,
  context: ExpandContext,
): Omit<TestCase, 'name'> | undefined => {
  const { reader } = context;
  const place = row === emptyMap ? test : row;
  const expectMap = expectationOf(test, row);
  if (expectMap === undefined)
    return reader.invalid(place.span, {
      path: place.path,
      problem: 'nothing is expected',
      help: 'Add expect with a user, userIncludes, or rejected: true.',
    });
  const expected = readExpected(expectMap, reader);
  const read = readInput({ base: mapOf(file, 'base'), file, test, row }, context);
  return expected && read && { span: place.span, ...read, expected };
};

/** Returns the expectation: that of a row is added to that of its case, and its outcome replaces it. */
const expectationOf = (test: RowMap, row: RowMap): RowMap | undefined => {
  const [outer, inner] = [mapOf(test, 'expect'), mapOf(row, 'expect')];
  if (inner === undefined || outer === undefined) return inner ?? outer;
  const replaces = outcomeFields.some((name) => inner.fields.has(name));
  const outerFields = [...outer.fields].filter(
    ([name]) => !replaces || !(outcomeFields.includes(name) || name === 'withoutGroups'),
  );
  return { ...inner, fields: new Map([...outerFields, ...inner.fields]) };
};

export interface InputMaps {
  readonly base: RowMap | undefined;
  readonly file: RowMap;
  readonly test: RowMap;
  readonly row: RowMap;
}

/** Reads what is authenticated, and when. */
export const readInput = (
  { base = emptyMap, file, test, row }: InputMaps,
  context: ExpandContext,
): { readonly input: TestInput; readonly now: number } | undefined => {
  const { inputs, reader } = context;
  const written =
    [row, test, file].map(timeOf).find((time) => time !== undefined) ?? context.defaultNow;
  const issuedAt = written ?? defaultTestTime;
  const built = claimsOf([base, test, row], { ...context, issuedAt });
  if (built === undefined) return undefined;
  const now = written ?? built.issuedAt ?? defaultTestTime;
  const claims = completeClaims(built.build, { now, issuers: inputs.issuers });
  context.work.characters += claims?.payload.length ?? maxPayloadLength;
  if (claims === undefined)
    return reader.invalid(test.span, {
      path: test.path,
      problem: 'the claims are too long or nest too deeply',
    });
  const signing = readSigning(row.fields.has('sign') ? row : test, reader);
  const requests = [mapOf(test, 'request'), mapOf(row, 'request')].filter(
    (map) => map !== undefined,
  );
  if (requests.length === 0) {
    const input: TestInput =
      signing === undefined ? { kind: 'claims', claims } : { kind: 'token', claims, signing };
    return { input, now };
  }
  const request = readRequest(requests, reader);
  const hasToken = setsClaims(test) || setsClaims(row) || signing !== undefined;
  const token = hasToken ? { claims, signing: signing ?? defaultSigning } : undefined;
  return request && { input: { kind: 'request', request, token }, now };
};

/** Returns the milliseconds of `now`. */
const timeOf = (map: RowMap): number | undefined => {
  const text = textOf(map, 'now');
  const time = text === undefined ? undefined : parseGoRfc3339(text);
  return time && time.seconds * 1000 + Math.floor(time.nanos / 1e6);
};
