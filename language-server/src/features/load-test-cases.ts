/** Test files with all of their input: the configuration that they name, and their samples. */
import {
  type AuthenticatorGraph,
  presetClaims,
  type RawClaims,
  rawClaimsOfText,
  type SampleReference,
  sourceFile,
  type TestCase,
  testFileSuffix,
} from '@authgraph/engine/language';
import type { CancellationToken } from 'vscode-languageserver';
import { URI, Utils } from 'vscode-uri';
import { limits } from '../limits.ts';
import { readTestFilePart, type TestFilePart, testFilePart } from '../test-files.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';

/** Returns a test file, open or closed, or why it is not available. */
export const loadTestFile = async (
  workspace: Workspace,
  uri: string,
): Promise<TestFilePart | string> => {
  if (!uri.endsWith(testFileSuffix)) return `not a test file (*${testFileSuffix})`;
  const isOpen = workspace.text(uri) !== undefined;
  const text = workspace.text(uri) ?? (await workspace.savedText(uri));
  if (text === undefined) return 'the test file cannot be read, or is outside of the workspace';
  if (text.length > limits.documentLength)
    return `the test file is longer than ${limits.documentLength} characters: split it`;
  return (isOpen ? testFilePart(workspace, uri) : undefined) ?? readTestFilePart(uri, text);
};

export interface LoadedTestCases {
  readonly part: TestFilePart;
  readonly configuration: ConfigurationPart;
  readonly graph: AuthenticatorGraph;
  readonly cases: readonly TestCase[];
  /** URIs of the files that decide the cases, without the test file. */
  readonly inputs: readonly string[];
}

/** What the cases of a test file are decided with. */
export interface TestInput extends Pick<LoadedTestCases, 'configuration' | 'graph'> {
  readonly samples: ReadonlyMap<string, ReadSample>;
}

/** Returns the cases of a test file with the configuration that it names, or what is wrong. */
export const loadTestCases = async (
  workspace: Workspace,
  uri: string,
  token: CancellationToken,
): Promise<LoadedTestCases | string> => {
  const part = await loadTestFile(workspace, uri);
  if (typeof part === 'string') return part;
  const input = await loadTestInput(workspace, part, token);
  return typeof input === 'string' ? input : casesOf(part, input);
};

const mistakeIn = ({ diagnostics: [mistake] }: TestFilePart): string | undefined =>
  mistake && `the test file has mistakes: ${mistake.message}`;

/** Returns the configuration and the samples of a test file that has been read, or what is wrong. */
export const loadTestInput = async (
  workspace: Workspace,
  part: TestFilePart,
  token: CancellationToken,
): Promise<TestInput | string> => {
  const mistake = mistakeIn(part);
  if (mistake !== undefined) return mistake;
  const configuration = await configurationOf(part, workspace);
  if (typeof configuration === 'string') return configuration;
  const { graph } = configuration.compilation;
  if (graph === undefined) return 'the configuration has errors; fix them to run the tests';
  const samples = await readSamples(part, workspace, token);
  return token.isCancellationRequested ? 'canceled' : { configuration, graph, samples };
};

/** Returns the cases of a test file that has been read, or what is wrong. */
export const casesOf = (part: TestFilePart, input: TestInput): LoadedTestCases | string => {
  const mistake = mistakeIn(part);
  if (mistake !== undefined) return mistake;
  const { configuration, graph, samples } = input;
  const { cases, diagnostics } = part.file.expand({
    issuers: graph.nodes,
    sample: ({ name }) => samples.get(name)?.claims ?? `no sample is named ${JSON.stringify(name)}`,
    preset: presetClaims,
  });
  const [problem] = diagnostics;
  if (problem !== undefined) return problem.message;
  const sampleUris = [...samples.values()].flatMap(({ uri }) => (uri === undefined ? [] : [uri]));
  return { part, configuration, graph, cases, inputs: [configuration.uri, ...sampleUris] };
};

/** Returns the URI of the configuration that the file names. */
export const configurationUri = ({ uri, file }: Pick<TestFilePart, 'uri' | 'file'>): string =>
  resolveIn(uri, configurationPath({ uri, file }));

const configurationPath = ({ uri, file }: Pick<TestFilePart, 'uri' | 'file'>): string =>
  file.configuration?.text ?? defaultConfiguration(uri);

/** Returns the configuration that the file names, or why it is not available. */
const configurationOf = async (
  part: TestFilePart,
  workspace: Workspace,
): Promise<ConfigurationPart | string> => {
  const written = configurationPath(part);
  const target = configurationUri(part);
  if (!workspace.isInFolder(target))
    return `configuration: ${JSON.stringify(written)} is outside of the workspace folders`;
  const open = workspace.text(target);
  const text = open ?? (await workspace.savedText(target));
  if (text === undefined)
    return `configuration: the file ${JSON.stringify(written)} cannot be read`;
  if (open !== undefined) await workspace.whenAnalyzed(target);
  const parts =
    open === undefined
      ? await workspace.partsOfComparedText(target, text)
      : workspace.parts(target);
  if (parts === 'stopped') return problems.otherNotAnalyzed;
  const [only, ...others] = parts;
  return only === undefined || others.length > 0
    ? `configuration: ${JSON.stringify(written)} must contain one configuration`
    : only;
};

/** Returns the name of the configuration that has the name of the test file. */
const defaultConfiguration = (uri: string): string => {
  const name = Utils.basename(URI.parse(uri));
  return `${name.slice(0, -testFileSuffix.length)}.yaml`;
};

const resolveIn = (uri: string, written: string): string =>
  Utils.resolvePath(Utils.dirname(URI.parse(uri)), written.replaceAll('\\', '/')).toString();

interface ReadSample {
  /** Claims, or why there are none. */
  readonly claims: RawClaims | string;
  /** The file that was read. */
  readonly uri?: string;
}

const readSamples = async (
  { uri, file }: TestFilePart,
  workspace: Workspace,
  token: CancellationToken,
): Promise<ReadonlyMap<string, ReadSample>> => {
  const samples = new Map<string, ReadSample>();
  const references = file.samples.slice(0, limits.sampleFiles);
  while (references.length > 0 && !token.isCancellationRequested) {
    const read = references
      .splice(0, samplesAtOnce)
      .map(async (one) => [one.name, await readSample(one, uri, workspace)] as const);
    for (const [name, sample] of await Promise.all(read)) samples.set(name, sample);
  }
  return samples;
};

/** The file system may be slow. */
const samplesAtOnce = 8;

const readSample = async (
  { name, paths }: SampleReference,
  uri: string,
  workspace: Workspace,
): Promise<ReadSample> => {
  for (const path of paths) {
    const target = resolveIn(uri, path);
    if (!workspace.isInFolder(target)) continue;
    const text = workspace.text(target) ?? (await workspace.savedText(target));
    if (text !== undefined && text.length <= limits.sampleLength)
      return { claims: rawClaimsOfText(sourceFile(target, text)), uri: target };
  }
  return { claims: `the sample ${JSON.stringify(name)} cannot be read` };
};
