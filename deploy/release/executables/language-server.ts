/** The language server as a part of the program, for executables. */
import { setFlagsFromString } from 'node:v8';
import type { StartLanguageServer } from '../../../engine/src/cli/language-server.ts';
import { startNodeServer } from '../../../language-server/src/node-server.ts';
import { threadUrl } from './thread-url.ts';

/** The server ends this process when the editor requests it or disconnects. */
export const findLanguageServer = (): StartLanguageServer => (signal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => process.exit(0), { once: true });
    // As in `language-server/src/main.ts`.
    setFlagsFromString('--semi-space-growth-factor=1');
    setFlagsFromString('--optimize-for-size');
    if (!process.argv.includes('--stdio')) process.argv.push('--stdio');
    process.once('exit', (code) => resolve(code));
    startNodeServer(threadUrl('analysis-thread', ''));
  });
