/** Test files (`*.authtest.yaml`); open ones are read once per version. */
import {
  type Diagnostic,
  presetClaims,
  presetNames,
  readTests,
  type SourceFile,
  sourceFile,
  type TestCase,
  type TestFile,
  testFileSuffix,
  wholeText,
} from '@authgraph/engine/language';
import { type Places, placesIn } from './to-protocol.ts';
import type { Workspace } from './workspace.ts';

/** A test file with its mistakes. */
export interface TestFilePart {
  readonly uri: string;
  readonly text: string;
  readonly source: SourceFile;
  readonly places: Places;
  readonly file: TestFile;
  /** The cases without mistakes, in the order of the file. */
  readonly cases: readonly Pick<TestCase, 'name' | 'span'>[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The last version of each open file; a language server has few of them. */
const partByUri = new Map<string, TestFilePart>();

/** Files whose parts are cached. */
const maxParts = 100;

/** Returns an open test file; `undefined` for other documents. The same version is the same object. */
export const testFilePart = (
  workspace: Pick<Workspace, 'text'>,
  uri: string,
): TestFilePart | undefined => {
  if (!uri.endsWith(testFileSuffix)) return undefined;
  const text = workspace.text(uri);
  if (text === undefined) return undefined;
  const known = partByUri.get(uri);
  if (known?.text === text) return known;
  const part = readTestFilePart(uri, text);
  if (partByUri.size >= maxParts) partByUri.clear();
  partByUri.set(uri, part);
  return part;
};

/** Reads the text of a test file. */
export const readTestFilePart = (uri: string, text: string): TestFilePart => {
  const source = sourceFile(uri, text);
  const file = readTests(source, presetNames);
  // The names of the cases and their mistakes do not depend on the claims of samples.
  const { cases, diagnostics } = file.expand({
    issuers: [],
    sample: () => new Map(),
    preset: presetClaims,
  });
  return {
    uri,
    text,
    source,
    places: placesIn(source, wholeText(source)),
    file,
    cases: cases.map(({ name, span }) => ({ name, span })),
    diagnostics: [...file.diagnostics, ...diagnostics],
  };
};
