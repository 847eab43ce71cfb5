/** `authgraph/expectResult`: a new case of a test file for a sample, with its current decision. */
import { applyEdits } from '@authgraph/engine';
import {
  appendCase,
  type CaseResult,
  caseOf,
  createCaseDecider,
  expectationOf,
  findTokens,
  inputOfSample,
  runCases,
  startOfTestFile,
  type TextEdit,
  testFileSuffix,
  type WrittenCase,
  writeCases,
} from '@authgraph/engine/language';
import type { CancellationToken } from 'vscode-languageserver';
import { URI, Utils } from 'vscode-uri';
import { limits } from '../limits.ts';
import {
  type ExpectResultAnswer,
  type ExpectResultParams,
  expectResultRequest,
  inMessage,
  type TestAddition,
} from '../protocol.ts';
import { readTestFilePart, type TestFilePart } from '../test-files.ts';
import { problems } from '../unavailable-reasons.ts';
import type { Workspace } from '../workspace.ts';
import {
  casesOf,
  configurationUri,
  loadTestFile,
  loadTestInput,
  type TestInput,
} from './load-test-cases.ts';
import { requestFeature } from './request-feature.ts';

export const expectResult = requestFeature<ExpectResultParams, ExpectResultAnswer>(
  expectResultRequest,
  { problem: problems.failed },
  async (params, { workspace }, token) => {
    const addition = await additionFor(workspace, params, token);
    return typeof addition === 'string' ? { problem: inMessage(addition) } : { addition };
  },
);

const additionFor = async (
  workspace: Workspace,
  { uri, sample: id, testFiles }: ExpectResultParams,
  token: CancellationToken,
): Promise<TestAddition | string> => {
  await workspace.whenSearched();
  const sample = workspace.samples.all.find((one) => one.id === id);
  if (sample === undefined) return problems.noSuchSample;
  if (sample.document === undefined) return 'a test names a file of claims: save the sample first';
  const named = /^(.+)\.claims\.(?:json|yaml)$/.exec(baseName(id))?.[1];
  if (named === undefined) return 'The file name must end in .claims.json or .claims.yaml';
  if (!workspace.isInFolder(uri))
    return 'the configuration is not in a workspace folder: save it there first';
  const target = await targetFile(workspace, { uri, sample: id, testFiles }, token);
  if (typeof target === 'string') return target;
  return addCase(workspace, { target, sample: { id, named } }, token);
};

interface TargetFile {
  /** The file before the edit. */
  readonly file: TestFilePart;
  readonly isNew: boolean;
}

/** Returns the first test file of the configuration in the folder of the sample, or a new one. */
const targetFile = async (
  workspace: Workspace,
  { uri, sample, testFiles }: ExpectResultParams,
  token: CancellationToken,
): Promise<TargetFile | string> => {
  const folder = folderOf(sample);
  const configuration = URI.parse(uri).toString();
  const neighbors = testFiles
    .slice(0, limits.testFilesOfFolder)
    .filter((file) => folderOf(file) === folder);
  for (const neighbor of neighbors) {
    if (token.isCancellationRequested) return 'canceled';
    const file = await loadTestFile(workspace, neighbor);
    if (typeof file === 'object' && configurationUri(file) === configuration)
      return { file, isNew: false };
  }
  const path = relativePath(folder, configuration);
  if (path === undefined) return 'the sample and the configuration are on different file systems';
  const start = startOfTestFile(new Map([['configuration', path]]));
  const stem = baseName(uri).replace(/\.(?:ya?ml|json)$/i, '');
  for (let number = 1; number <= limits.testFilesOfFolder; number += 1) {
    const name = `${stem}${number === 1 ? '' : `-${number}`}${testFileSuffix}`;
    const address = Utils.joinPath(URI.parse(folder), name).toString();
    const isTaken = (workspace.text(address) ?? (await workspace.savedText(address))) !== undefined;
    if (!isTaken) return { file: readTestFilePart(address, start), isNew: true };
  }
  return 'the folder of the sample has too many test files: add the case by hand';
};

interface AddedCase {
  readonly edits: readonly TextEdit[];
  readonly file: TestFilePart;
  readonly result: CaseResult;
}

const addCase = async (
  workspace: Workspace,
  {
    target: { file, isNew },
    sample: { id, named },
  }: {
    readonly target: TargetFile;
    readonly sample: { readonly id: string; readonly named: string };
  },
  token: CancellationToken,
): Promise<TestAddition | string> => {
  const name = unusedName(named, file);
  let input: TestInput | undefined;
  // The case is read back, so that it is decided exactly as the test will be.
  const add = async (written: WrittenCase): Promise<AddedCase | string> => {
    const edits = appendCase(file.source, written);
    if (typeof edits === 'string') return edits;
    const extended = readTestFilePart(file.uri, applyEdits(file.text, edits));
    // Each version of the case has the same sample, so the files are read once.
    const read = input ?? (await loadTestInput(workspace, extended, token));
    if (typeof read === 'string') return read;
    input = read;
    const loaded = casesOf(extended, read);
    if (typeof loaded === 'string') return loaded;
    if (!loaded.inputs.includes(id))
      return `the test file has another sample with the name ${JSON.stringify(named)}: rename one of them`;
    const decider = createCaseDecider(loaded.graph, { clock: { now: 0 } });
    const [result] = await runCases(loaded.cases.slice(-1), decider, runOptions);
    if (result?.test.name !== name) return 'the test file cannot be extended: add the case by hand';
    return { edits, file: extended, result };
  };

  const draft = await add(caseOf(name, { sample: named }, { rejected: true }));
  if (typeof draft === 'string') return draft;
  const fields = inputOfSample(named, draft.result.test, draft.result.outcome);
  const decided = await add(caseOf(name, fields, { rejected: true }));
  if (typeof decided === 'string') return decided;
  const expect = expectationOf(decided.result.outcome);
  const range = rangeOfCase(file, writeCases([caseOf(named, fields, expect)]), named);
  if (range !== undefined) return { uri: file.uri, isNew, edits: [], range };
  const written = caseOf(name, fields, expect);
  const final = await add(written);
  if (typeof final === 'string') return final;
  if (findTokens(writeCases([written])).length > 0)
    return 'the test would contain a token: the user has a claim that is one';
  const [difference] = final.result.differences;
  if (difference !== undefined)
    return `the decision cannot be written as an expectation: ${difference.what} differs`;
  return {
    uri: file.uri,
    isNew,
    edits: isNew
      ? [{ range: file.places.range({ start: 0, end: 0 }), newText: final.file.text }]
      : final.edits.map(file.places.edit),
    range: final.file.places.range(final.result.test.span),
  };
};

const runOptions = {
  bail: false,
  monotonic: () => performance.now(),
  pause: () => Promise.resolve(),
  signal: new AbortController().signal,
};

/** Returns the name of the sample, with a number if another case has this name. */
const unusedName = (named: string, { cases }: TestFilePart): string => {
  const used = new Set(cases.map(({ name }) => name));
  let number = 1;
  while (used.has(numbered(named, number))) number += 1;
  return numbered(named, number);
};

const numbered = (name: string, number: number): string =>
  number === 1 ? name : `${name} ${number}`;

/** Returns the range of a case that the file has in the same words, whatever its indentation. */
const rangeOfCase = (
  { text, cases, places }: TestFilePart,
  written: string,
  name: string,
): TestAddition['range'] | undefined => {
  const isWritten = `\n${trimmedLines(text)}\n`.includes(`\n${trimmedLines(written.trimEnd())}\n`);
  const testCase = isWritten ? cases.find((one) => one.name === name) : undefined;
  return testCase && places.range(testCase.span);
};

const trimmedLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join('\n');

const baseName = (uri: string): string => Utils.basename(URI.parse(uri));

const folderOf = (uri: string): string => Utils.dirname(URI.parse(uri)).toString();

/** Returns the path from a folder to a file; `undefined` if there is none. */
const relativePath = (folder: string, file: string): string | undefined => {
  const [from, to] = [URI.parse(folder), URI.parse(file)];
  if (from.scheme !== to.scheme || from.authority !== to.authority) return undefined;
  const above = from.path.split('/').filter((name) => name !== '');
  const below = to.path.split('/').filter((name) => name !== '');
  let shared = 0;
  while (shared < above.length && above[shared] === below[shared]) shared += 1;
  return [...above.slice(shared).map(() => '..'), ...below.slice(shared)].join('/');
};
