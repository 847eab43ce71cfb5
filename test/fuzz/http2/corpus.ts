/** Inputs with new features, one JSON line each; `npm test` runs all of them again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TargetName } from './targets.ts';

export interface CorpusEntry {
  readonly target: TargetName;
  readonly input: Buffer;
}

const file = join(import.meta.dirname, 'corpus.jsonl');

export const readCorpus = (): readonly CorpusEntry[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { target, input } = JSON.parse(line);
      return { target, input: Buffer.from(input, 'base64') };
    });

export const writeCorpus = (entries: readonly CorpusEntry[]): void => {
  const lines = entries.map(({ target, input }) =>
    JSON.stringify({ target, input: input.toString('base64') }),
  );
  writeFileSync(file, `${lines.toSorted().join('\n')}\n`);
};
