/**
 * Differential fuzzer: the same generated questions to the real code (a Go program, built once) and
 * to ours in exact mode; every answer must be equal. A difference that the real code itself does not
 * repeat (it iterates maps in random order) is counted and left out.
 *
 *   npm run fuzz -- --seconds 300 [--seed 1] [--only expressions,configurations,tokens] [--batch 200]
 *
 * Differences go to standard output as JSON lines in the form of the recorded cases. Exit 1 if any.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { configurationQuestions } from './configurations.ts';
import { expressionQuestions } from './expressions.ts';
import { type Answer, startPeer } from './peer.ts';
import { type Random, randomOf } from './random.ts';
import { tokenQuestions } from './tokens.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: 'expressions,configurations,tokens' },
    batch: { type: 'string', default: '200' },
  },
});

type Generator = (random: Random, count: number) => readonly object[];
const generators: ReadonlyMap<string, Generator> = new Map([
  ['expressions', expressionQuestions],
  ['configurations', configurationQuestions],
  ['tokens', tokenQuestions],
]);

const root = join(import.meta.dirname, '../..');
const reference = join(root, 'test/oracle/real/run');
if (spawnSync('go', ['version']).status !== 0) {
  console.error('fuzz: the real code is built with Go 1.26 or newer, and there is none on PATH');
  process.exit(2);
}
console.error('fuzz: building the real code (once; minutes on the first run)');
if (spawnSync(reference, ['--version'], { stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0) {
  process.exit(2);
}

const real = startPeer(reference, []);
const ours = startPeer(process.execPath, [join(root, 'test/oracle/main.ts')]);
const random = randomOf(Number(options.seed));
const until = Date.now() + Number(options.seconds) * 1000;
const counts = { asked: 0, different: 0, unstable: 0, panics: 0 };
let shown = Date.now();

/** The real code numbers the free type variables of its messages in random order. */
const comparable = (answer: Answer | undefined): Answer =>
  JSON.parse(JSON.stringify(answer ?? {}).replaceAll(/_var\d+/g, '_var')) as Answer;

/** Its maps have no order: an answer that one member in twenty decides shows itself in so many. */
const repetitions = 128;

/** Does the real code give this answer at least sometimes, or differ from itself? */
const isUnstable = async (question: object, mine: Answer, theirs: Answer): Promise<boolean> => {
  const again = await real.ask(Array.from({ length: repetitions }, () => question));
  return again
    .map(comparable)
    .some((answer) => isDeepStrictEqual(answer, mine) || !isDeepStrictEqual(answer, theirs));
};

console.error(`fuzz: seed ${options.seed}, ${options.seconds} s, ${options.only}`);
while (Date.now() < until) {
  for (const name of options.only.split(',')) {
    const generate = generators.get(name);
    if (generate === undefined) throw new Error(`no generator ${JSON.stringify(name)}`);
    const questions = generate(random, Number(options.batch));
    const [theirs, mine] = await Promise.all([real.ask(questions), ours.ask(questions)]);
    for (const [index, question] of questions.entries()) {
      counts.asked += 1;
      const a = comparable(theirs[index]);
      const b = comparable(mine[index]);
      if (isDeepStrictEqual(a, b)) continue;
      // The real code fell over; whatever we say is better.
      if (String(a.fault).startsWith('panic')) {
        counts.panics += 1;
        continue;
      }
      if (await isUnstable(question, b, a)) {
        counts.unstable += 1;
        continue;
      }
      counts.different += 1;
      console.log(JSON.stringify({ generator: name, input: question, expected: a, got: b }));
    }
  }
  if (Date.now() - shown > 10_000) {
    shown = Date.now();
    console.error(`fuzz: ${JSON.stringify(counts)}`);
  }
}
real.close();
ours.close();
console.error(`fuzz: done ${JSON.stringify(counts)}`);
process.exitCode = counts.different === 0 ? 0 : 1;
