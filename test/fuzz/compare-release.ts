/**
 * Compares our answers with those of a release's oracle until the time or the quotas are used up.
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Release, releaseName } from '../../engine/src/model/release.ts';
import { configurationQuestions } from './configurations.ts';
import { expressionQuestions } from './expressions.ts';
import { knownDifference } from './known-differences.ts';
import { type Answer, type Peer, reference, startPeer } from './peer.ts';
import { type Random, randomOf } from './random.ts';
import { tokenQuestions } from './tokens.ts';
import { upstreamQuestions } from './upstream-expressions.ts';

export interface Comparison {
  readonly release: Release;
  readonly seed: number;
  readonly generators: readonly string[];
  /** Questions per generator and round. */
  readonly batch: number;
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** Number of questions after which a generator is done; generators without a quota continue. */
  readonly quotas: ReadonlyMap<string, number>;
}

export interface Counts {
  readonly asked: Record<string, number>;
  different: number;
  /** Differences by the id of their row in `known-differences.ts`. */
  readonly known: Record<string, number>;
}

type Generate = (random: Random, count: number, release: Release) => readonly object[];

const generators: ReadonlyMap<string, Generate> = new Map([
  ['expressions', expressionQuestions],
  ['configurations', configurationQuestions],
  ['tokens', tokenQuestions],
  ['upstream', upstreamQuestions],
]);

const ourProgram = join(import.meta.dirname, '../oracle/main.ts');

export const compareRelease = async (comparison: Comparison): Promise<Counts> => {
  const { release, seed } = comparison;
  const name = releaseName(release);
  const oracle = startPeer(reference, ['--release', name]);
  const ours = startPeer(process.execPath, [ourProgram, '--release', name]);
  const counts: Counts = { asked: {}, different: 0, known: {} };
  const report = (phase: string): void =>
    console.error(`fuzz: ${name} seed ${seed} ${phase} ${JSON.stringify(counts)}`);
  const compareBatch = async ({ generator, questions, answers }: Batch): Promise<void> => {
    const [fromOracle, fromOurs] = await answers;
    for (const [index, input] of questions.entries()) {
      const expected = comparable(fromOracle[index]);
      const got = comparable(fromOurs[index]);
      if (isDeepStrictEqual(expected, got)) continue;
      const known =
        knownDifference({ input, expected, got, release })?.id ??
        ((await isUnstable(oracle, input, { expected, got })) ? 'random-order' : undefined);
      if (known === undefined) {
        counts.different += 1;
        console.log(JSON.stringify({ release: name, generator, input, expected, got }));
      } else counts.known[known] = (counts.known[known] ?? 0) + 1;
    }
    counts.asked[generator] = (counts.asked[generator] ?? 0) + questions.length;
  };
  report('begins');
  let shown = Date.now();
  const pending: Batch[] = [];
  for (const { generator, questions } of batchesOf(comparison)) {
    const answers = Promise.all([oracle.ask(questions), ours.ask(questions)]);
    pending.push({ generator, questions, answers });
    const oldest = pending.length < mostPending ? undefined : pending.shift();
    if (oldest !== undefined) await compareBatch(oldest);
    if (Date.now() - shown > 10_000) {
      shown = Date.now();
      report('goes on');
    }
  }
  for (const batch of pending) await compareBatch(batch);
  oracle.close();
  ours.close();
  report('done');
  return counts;
};

/**
 * Batches that are sent before the oldest is compared, so that neither program waits for the other.
 */
const mostPending = 4;

interface Batch {
  readonly generator: string;
  readonly questions: readonly object[];
  readonly answers: Promise<readonly [readonly Answer[], readonly Answer[]]>;
}

/** Yields batches of the generators in turn, until the time is over or all quotas are reached. */
function* batchesOf({
  release,
  seed,
  generators: names,
  batch,
  until,
  quotas,
}: Comparison): Generator<Pick<Batch, 'generator' | 'questions'>> {
  const random = randomOf(seed);
  const left = new Map(names.map((name) => [name, quotas.get(name) ?? Number.POSITIVE_INFINITY]));
  while (Date.now() < until) {
    const open = names.filter((name) => (left.get(name) ?? 0) > 0);
    if (open.length === 0) return;
    for (const generator of open) {
      const generate = generators.get(generator);
      if (generate === undefined) throw new Error(`no generator ${JSON.stringify(generator)}`);
      left.set(generator, (left.get(generator) ?? 0) - batch);
      yield { generator, questions: generate(random, batch, release) };
    }
  }
}

/** cel-go numbers the free type variables in its messages in random order. */
const comparable = (answer: Answer | undefined): Answer =>
  JSON.parse(JSON.stringify(answer ?? {}).replaceAll(/_var\d+/g, '_var')) as Answer;

/**
 * Go's maps have no order: an answer that depends on one member in twenty appears in this many
 * repetitions. Tokens take longer, and no generated token depends on the order of more than a few
 * members.
 */
const repetitionsOf = (question: object): number =>
  'op' in question && question.op === 'authenticate' ? 8 : 128;

/** Returns true if the oracle sometimes returns our answer, or differs from itself. */
const isUnstable = async (
  oracle: Peer,
  question: object,
  { expected, got }: { readonly expected: Answer; readonly got: Answer },
): Promise<boolean> => {
  const again = await oracle.ask(Array.from({ length: repetitionsOf(question) }, () => question));
  return again
    .map(comparable)
    .some((answer) => isDeepStrictEqual(answer, got) || !isDeepStrictEqual(answer, expected));
};
