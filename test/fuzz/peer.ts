/** A program that answers JSON lines with JSON lines, in order. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { linesOf } from '../support/lines-of.ts';

/** Builds and runs the oracle of a release. */
export const reference = join(import.meta.dirname, '../oracle/real/run');

export type Answer = Readonly<Record<string, unknown>>;

export interface Peer {
  /** Returns the answers in the order of the questions. */
  ask(questions: readonly object[]): Promise<readonly Answer[]>;
  close(): void;
}

export const startPeer = (command: string, args: readonly string[]): Peer => {
  const child: ChildProcessWithoutNullStreams = spawn(command, args, {
    // Go is up to a fifth faster if it collects garbage less often.
    env: { ...process.env, GOGC: '400' },
  });
  child.stderr.pipe(process.stderr);
  const waiting: ((line: string) => void)[] = [];
  let gone: Error | undefined;
  // node:readline would also end a line at U+2028.
  void (async () => {
    for await (const line of linesOf(child.stdout)) waiting.shift()?.(line);
  })();
  child.on('close', (status) => {
    gone = new Error(`${command} ended with ${status}`);
    for (const answer of waiting.splice(0)) answer('');
  });
  const one = (question: object): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (gone !== undefined) return reject(gone);
      waiting.push((line) =>
        line === '' ? reject(gone ?? new Error('no answer')) : resolve(JSON.parse(line) as Answer),
      );
      child.stdin.write(`${JSON.stringify(question)}\n`);
    });
  return {
    ask: (questions) => Promise.all(questions.map(one)),
    close: () => child.kill(),
  };
};
