/**
 * Compiles configurations after random edits, with and without the previous compilation, and
 * compares the results: document, positions, configuration, expressions, graph, diagnostics, lints.
 *
 *   npm run fuzz:incremental -- --seconds 60 [--seed 1] [--edits 60]
 *
 * Differences are printed as JSON lines with the text and the edit; the last line is a summary. The
 * exit status is 1 if there are differences.
 */
import { parseArgs } from 'node:util';
import { runRandomEdits } from './compare-incremental.ts';
import { randomOf } from './random.ts';
import { startingTexts } from './starting-texts.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    edits: { type: 'string', default: '60' },
  },
});

const random = randomOf(Number(options.seed));
const until = Date.now() + Number(options.seconds) * 1000;
const texts = startingTexts();
const counts = { texts: 0, edits: 0, partial: 0, differences: 0 };
console.error(`incremental: seed ${options.seed}, ${options.seconds} s, ${texts.length} texts`);
while (Date.now() < until) {
  const run = runRandomEdits(random.pick(texts)(random), random, { count: Number(options.edits) });
  counts.texts += 1;
  counts.edits += run.edits;
  counts.partial += run.partial;
  counts.differences += run.differences.length;
  for (const difference of run.differences) console.log(JSON.stringify(difference));
}
console.log(JSON.stringify({ seed: Number(options.seed), ...counts }));
process.exitCode = counts.differences === 0 && counts.partial > 0 ? 0 : 1;
