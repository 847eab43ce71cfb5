/** A program that answers JSON lines with JSON lines, in order. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export type Answer = Readonly<Record<string, unknown>>;

export interface Peer {
  /** Answers in the order of the questions. */
  ask(questions: readonly object[]): Promise<readonly Answer[]>;
  close(): void;
}

export const startPeer = (command: string, args: readonly string[]): Peer => {
  const child: ChildProcessWithoutNullStreams = spawn(command, args);
  child.stderr.pipe(process.stderr);
  const waiting: ((line: string) => void)[] = [];
  let gone: Error | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line));
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
