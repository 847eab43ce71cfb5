/** The thread that compiles a large configuration: one order in, one answer out. */
import { parentPort, workerData } from 'node:worker_threads';
import { type CompileRequest, compileText } from './load-configuration.ts';

const request: CompileRequest = workerData;
parentPort?.postMessage(compileText(request));
