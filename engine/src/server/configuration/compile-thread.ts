/**
 * The worker thread that compiles a large configuration: it receives one request and posts one
 * result.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type CompileRequest, compileText } from './load-configuration.ts';

const request: CompileRequest = workerData;
parentPort?.postMessage(compileText(request));
