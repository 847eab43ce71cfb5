/** The thread that compiles a large configuration: one order in, one answer out. */
import { parentPort, workerData } from 'node:worker_threads';
import { type CompileOrder, compileText } from './load-configuration.ts';

const order: CompileOrder = workerData;
parentPort?.postMessage(compileText(order));
