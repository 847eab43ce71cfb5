/**
 * The worker thread that compiles a large configuration: it receives one request and posts one
 * result.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { compileText, type ThreadRequest } from './load-configuration.ts';

const request: ThreadRequest = workerData;
parentPort?.postMessage(compileText(request));
