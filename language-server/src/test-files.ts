/** Open test files (`*.authtest.yaml`), read once per version. */
import {
  type Diagnostic,
  presetClaims,
  presetNames,
  readTests,
  type SourceFile,
  sourceFile,
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
  const source = sourceFile(uri, text);
  const file = readTests(source, presetNames);
  // Mistakes in cases do not depend on the claims of samples.
  const expanded = file.expand({ issuers: [], sample: () => new Map(), preset: presetClaims });
  const part = {
    uri,
    text,
    source,
    places: placesIn(source, wholeText(source)),
    file,
    diagnostics: [...file.diagnostics, ...expanded.diagnostics],
  };
  if (partByUri.size >= maxParts) partByUri.clear();
  partByUri.set(uri, part);
  return part;
};
