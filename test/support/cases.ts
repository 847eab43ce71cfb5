/** Reads the recorded case tables. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface RecordedCase<Input = Record<string, unknown>, Expected = Record<string, unknown>> {
  readonly id: string;
  readonly shows: string;
  readonly input: Input;
  readonly expected: Expected;
}

const root = join(import.meta.dirname, '..');

/** Lines of a JSONL table under `test/`. */
export const cases = <Input = Record<string, unknown>, Expected = Record<string, unknown>>(
  path: string,
): readonly RecordedCase<Input, Expected>[] =>
  readFileSync(join(root, path), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as RecordedCase<Input, Expected>);
