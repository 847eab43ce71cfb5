/**
 * Coverage-guided fuzzing of the HTTP/2 server: the frame reader, the HPACK decoder, and a whole
 * connection with responses of every form. `http2/targets.ts` defines the properties that hold for
 * each input. An input that reaches new code or has a new effect is mutated further.
 *
 *   npm run fuzz:http2 -- --seconds 60 [--seed 1] [--executions 100000] [--grow]
 *
 * `--grow` adds inputs with new features to the corpus and removes redundant entries. Inputs that
 * violate a property are printed as JSON lines; the last lines are the coverage and a summary. The
 * exit status is 1 if there are violations.
 */
import { parseArgs } from 'node:util';
import { type CorpusEntry, readCorpus, writeCorpus } from './http2/corpus.ts';
import { startCoverage } from './http2/coverage.ts';
import { mutate } from './http2/mutate.ts';
import { runTarget, type TargetName, targetNames } from './http2/targets.ts';
import { randomOf } from './random.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    executions: { type: 'string', default: '100000000' },
    grow: { type: 'boolean', default: false },
  },
});

/** Maximum processor time of an input; most inputs take less than one millisecond. */
const maxMilliseconds = 1000;
/** Maximum growth of the heap over all inputs; a run must not leave anything behind. */
const maxHeapMegabytes = 200;
/** Inputs between two reads of the counters; a read is as slow as several hundred runs. */
const batch = 200;

const random = randomOf(Number(options.seed));
const coverage = startCoverage();
const started = Date.now();
const until = started + Number(options.seconds) * 1000;
const seen = new Set<string>();
const findings = new Set<string>();
const executions: Record<TargetName, number> = { frames: 0, hpack: 0, connection: 0 };
const corpus: CorpusEntry[] = [];

/** Returns the number of new features of the input; a broken rule is reported. */
const runEntry = async ({ target, input }: CorpusEntry): Promise<number> => {
  executions[target] += 1;
  const before = process.cpuUsage();
  let isNew = 0;
  try {
    for (const feature of await runTarget(target, input)) isNew += remember(`${target} ${feature}`);
  } catch (error) {
    reportFinding({ target, input, rule: String(error) });
  }
  const { user, system } = process.cpuUsage(before);
  const milliseconds = (user + system) / 1000;
  if (milliseconds > maxMilliseconds)
    reportFinding({ target, input, rule: `takes ${milliseconds} ms` });
  return isNew;
};

const reportFinding = ({ target, input, rule }: CorpusEntry & { readonly rule: string }): void => {
  const finding = JSON.stringify({ target, rule, input: input.toString('base64') });
  if (findings.has(finding)) return;
  findings.add(finding);
  if (findings.size <= 20) console.log(finding);
};

const remember = (what: string): number => {
  if (seen.has(what)) return 0;
  seen.add(what);
  return 1;
};

/** Runs the entries and adds those with new features to the corpus. */
const runBatch = async (entries: readonly CorpusEntry[]): Promise<void> => {
  const isNew = new Set<CorpusEntry>();
  for (const entry of entries) if ((await runEntry(entry)) > 0) isNew.add(entry);
  if (coverage.isNew(coverage.take())) for (const each of await reaching(entries)) isNew.add(each);
  corpus.push(...isNew);
};

/** Returns the entries that reach new code, by bisection, because most reach none. */
const reaching = async (entries: readonly CorpusEntry[]): Promise<readonly CorpusEntry[]> => {
  for (const entry of entries) await runEntry(entry);
  const sample = coverage.take();
  if (!coverage.isNew(sample)) return [];
  if (entries.length === 1) {
    coverage.add(sample);
    return entries;
  }
  const middle = entries.length >> 1;
  return [
    ...(await reaching(entries.slice(0, middle))),
    ...(await reaching(entries.slice(middle))),
  ];
};

console.error(`http2: seed ${options.seed}, ${options.seconds} s`);
coverage.take();
await runBatch(readCorpus());
const startingEntries = corpus.length;
const heapBefore = process.memoryUsage().heapUsed;
const total = (): number => targetNames.reduce((sum, name) => sum + executions[name], 0);
while (Date.now() < until && total() < Number(options.executions)) {
  await runBatch(
    Array.from({ length: batch }, () => {
      const target = random.pick(targetNames);
      const entries = corpus.filter((entry) => entry.target === target);
      const { input } = random.pick(entries);
      const { input: other } = random.pick(entries);
      return { target, input: mutate(target, { input, other }, random) };
    }),
  );
}
const megabytes = (process.memoryUsage().heapUsed - heapBefore) / 2 ** 20;
if (megabytes > maxHeapMegabytes) {
  findings.add(`the heap has grown by ${Math.round(megabytes)} MB`);
}

if (options.grow) {
  // Short inputs come first, so that a long one remains only for what none of them shows.
  const entries = corpus.toSorted((a, b) => a.input.length - b.input.length);
  seen.clear();
  coverage.clear();
  coverage.take();
  const needed: CorpusEntry[] = [];
  for (const entry of entries) {
    const features = await runEntry(entry);
    if (coverage.add(coverage.take()) || features > 0) needed.push(entry);
  }
  writeCorpus(needed);
  console.error(`the corpus has ${needed.length} entries, before ${startingEntries}`);
}

const files = coverage.report();
for (const { file, characters, covered, missedLines } of files) {
  const percent = ((100 * covered) / characters).toFixed(1);
  console.error(`${file}: ${percent} %, not reached: ${missedLines.join(' ') || 'none'}`);
}
const sum = (key: 'characters' | 'covered'): number =>
  files.reduce((all, file) => all + file[key], 0);
console.log(
  JSON.stringify({
    seed: Number(options.seed),
    seconds: Math.round((Date.now() - started) / 1000),
    executions,
    corpus: corpus.length,
    fresh: corpus.length - startingEntries,
    coveragePercent: Math.round((1000 * sum('covered')) / sum('characters')) / 10,
    heapMegabytes: Math.round(megabytes),
    findings: findings.size,
  }),
);
process.exit(findings.size === 0 ? 0 : 1);
