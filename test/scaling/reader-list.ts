/** Decides for every reader how the scaling test calls it, or why it does not. */
import { argumentValue, bytesOf } from './argument-values.ts';
import { type ExportedReader, exportedReaders } from './exported-readers.ts';
import { methodCalls } from './method-calls.ts';
import { notCalled } from './not-called.ts';
import { furtherArguments, readerArguments } from './reader-arguments.ts';

export type ReaderRow = ExportedReader & {
  /** The file, relative to `engine/src` if it is there, and the name. */
  readonly key: string;
} & (
    | { readonly kind: 'function'; readonly argumentsOf: (text: string) => readonly unknown[] }
    | { readonly kind: 'method'; readonly call: (text: string) => unknown }
    | { readonly kind: 'not called'; readonly reason: string }
    /** Neither arguments nor a reason: the test fails. */
    | { readonly kind: 'missing' }
  );

export const scannedFolders = ['engine/src', 'language-server/src', 'extension/src'] as const;

export const keyOf = ({ file, name }: Pick<ExportedReader, 'file' | 'name'>): string =>
  `${file.replace(/^engine\/src\//, '')} ${name}`;

const importsVscode = 'Its module imports vscode, which exists only in the editor.';

/** Returns all readers below the root, sorted by file. */
export const listReaders = (root: string): readonly ReaderRow[] => {
  const { readers, types, vscodeFiles } = exportedReaders(root, scannedFolders);
  return readers.map((reader): ReaderRow => {
    const key = keyOf(reader);
    const base = { ...reader, key };
    const reason = notCalled.get(key) ?? (vscodeFiles.has(reader.file) ? importsVscode : undefined);
    if (reason !== undefined) return { ...base, kind: 'not called', reason };
    const call = methodCalls.get(key);
    if (call !== undefined) return { ...base, kind: 'method', call };
    if (reader.name.includes('.')) return { ...base, kind: 'missing' };
    const argumentsOf = argumentsFor(reader, key, types);
    return argumentsOf === undefined
      ? { ...base, kind: 'missing' }
      : { ...base, kind: 'function', argumentsOf };
  });
};

const argumentsFor = (
  { parameters }: ExportedReader,
  key: string,
  types: Parameters<typeof argumentValue>[2],
): ((text: string) => readonly unknown[]) | undefined => {
  const own = readerArguments.get(key);
  if (own !== undefined) return own;
  const further = furtherArguments.get(key);
  if (further !== undefined) {
    const isBytes = parameters[0]?.type.kind === 'bytes';
    return (text) => [
      isBytes ? bytesOf(text) : text,
      ...(typeof further === 'function' ? further(text) : further),
    ];
  }
  const required = parameters.filter(({ isRequired }) => isRequired);
  const valuesOf = (text: string) => required.map(({ type }) => argumentValue(type, text, types));
  if (valuesOf('').includes(undefined)) return undefined;
  return (text) => valuesOf(text).map((found) => found?.value);
};
