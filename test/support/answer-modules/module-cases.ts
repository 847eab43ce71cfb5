/** Reads the tables in `test/conformance/modules`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A line without its recorded answer. */
export interface CaseLine<Config = unknown, Input = unknown> {
  readonly id: string;
  readonly config: Config;
  readonly input: Input;
}

export interface RecordedLine<Config = unknown, Input = unknown> extends CaseLine<Config, Input> {
  readonly expect: unknown;
}

/** Reads all lines of one table. */
export const moduleCases = <Config, Input>(
  module: string,
): readonly RecordedLine<Config, Input>[] =>
  readFileSync(join(import.meta.dirname, '../../conformance/modules', `${module}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedLine<Config, Input>);
