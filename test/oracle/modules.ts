/**
 * The product as a conformance program for cases about modules: it reads one case per line and writes
 * one answer per line, in order. Recorded results in the input are ignored.
 *
 *   npm run -s oracle:modules < cases.jsonl > answers.jsonl
 */
import { answerModules } from '../support/answer-modules/answers.ts';
import { linesOf } from '../support/lines-of.ts';

interface Line {
  readonly id?: string;
  readonly module?: string;
}

const answer = async (text: string): Promise<object> => {
  let line: Line;
  try {
    const { expect: _recorded, ...rest } = JSON.parse(text);
    line = rest;
  } catch (cause) {
    return { fault: `bad case: ${cause instanceof Error ? cause.message : cause}` };
  }
  const { id = '', module = '' } = line;
  const answerOf = answerModules.get(module);
  if (answerOf === undefined) return { id, fault: `unknown module ${JSON.stringify(module)}` };
  try {
    // Each answer reads the lines of its own module.
    return { id, expect: await answerOf(line as never) };
  } catch (cause) {
    return { id, fault: `panic: ${cause instanceof Error ? cause.stack : cause}` };
  }
};

/** One after the other: some cases measure time, some listen. */
for await (const text of linesOf(process.stdin)) {
  if (text.trim() !== '') process.stdout.write(`${JSON.stringify(await answer(text))}\n`);
}
