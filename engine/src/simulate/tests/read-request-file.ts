/** Reads a request file: a whole request with the environment that decides it. */
import { RowReader } from '../../config/rows/read-rows.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { environmentOf, newWork, readerOptions, readInput } from './read-tests.ts';
import { emptyMap } from './row-fields.ts';
import type { TestInput } from './test-case.ts';
import type { TestEnvironment, TestInputs } from './test-file.ts';
import { requestRows } from './test-rows.ts';

export interface RequestFile {
  readonly diagnostics: readonly Diagnostic[];
  readonly environment: TestEnvironment;
  /** Absent if the file has mistakes. */
  readonly input: Extract<TestInput, { kind: 'request' }> | undefined;
  /** The time of the decision, in milliseconds since 1970. */
  readonly now: number;
}

export interface RequestFileOptions {
  /** The names of the claims of providers. */
  readonly presets: readonly string[];
  readonly inputs: Omit<TestInputs, 'sample'>;
  /** The time if the file has none. */
  readonly now: number;
}

/** Never throws: mistakes are diagnostics. */
export const readRequestFile = (
  source: SourceFile,
  { presets, inputs, now: defaultNow }: RequestFileOptions,
): RequestFile => {
  const reader = new RowReader(source, {
    ...readerOptions,
    what: 'a request file',
    content: 'fields',
  });
  const file = reader.read(requestRows(presets));
  const test = { ...file, fields: new Map([...file.fields, ['request', file] as const]) };
  const read = readInput(
    { base: undefined, file: emptyMap, test, row: emptyMap },
    {
      inputs: { ...inputs, sample: () => 'a request has no samples' },
      reader,
      samples: new Map(),
      work: newWork(),
      defaultNow,
    },
  );
  const diagnostics = reader.diagnostics();
  const isUsable = diagnostics.length === 0 && read?.input.kind === 'request';
  return {
    diagnostics,
    environment: environmentOf(file),
    input: isUsable && read.input.kind === 'request' ? read.input : undefined,
    now: read?.now ?? defaultNow,
  };
};
