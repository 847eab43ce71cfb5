/** The worker thread that runs test files: it gets the selection of cases, then one path after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { CommandEnd } from '../command.ts';
import type { Io } from '../io.ts';
import { nodeIo } from '../node-io.ts';
import { isPrintedOnce } from '../warn-once.ts';
import { createRunSender, type FileMessage, type TestThreadData } from './file-message.ts';
import { runFile } from './run-file.ts';

const { selection, targetRelease }: TestThreadData = workerData;

let printed: string[] = [];
const stderr: Io['stderr'] = {
  write: (text) => printed.push(text),
  replaceLine: () => {},
  isTerminal: false,
  columns: 80,
};
// The thread that started this one ends it on a signal.
const io = nodeIo({ stderr, signal: new AbortController().signal });
const context = { targetRelease, io, compiled: new Map() };
const dataOfRun = createRunSender();

const outcomeOf = async (path: string): Promise<FileMessage['outcome']> => {
  try {
    return dataOfRun(await runFile(path, context, selection));
  } catch (cause) {
    if (cause instanceof CommandEnd) return { kind: 'ended', code: cause.code };
    throw cause;
  }
};

parentPort?.on('message', async (path: string) => {
  printed = [];
  const outcome = await outcomeOf(path);
  const message: FileMessage = {
    warnings: printed.filter((line) => isPrintedOnce(line, io)),
    printed: printed.filter((line) => !isPrintedOnce(line, io)),
    outcome,
  };
  parentPort?.postMessage(message);
});
