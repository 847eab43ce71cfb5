/** Go's client, which kubectl and client-go use, and h2load read long responses to their end. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goBuildMs, goProgram } from '../../deploy/go-programs/go-program.ts';
import { type AnsweringListener, startAnswering } from '../support/answering-listener.ts';

const bytes = 2_000_000;
let program: string;
let listener: AnsweringListener;
const urlOf = (path: string): string => `https://127.0.0.1:${listener.reach.port}${path}`;

beforeAll(async () => {
  program = goProgram({
    name: 'http2-reader-1',
    module: join(import.meta.dirname, 'http2-reader'),
  });
  listener = await startAnswering();
}, goBuildMs);
afterAll(() => listener?.close(100));

test.each([1024, 4096, 1_000_000])('Go, %i bytes with each read, 20 at once', async (size) => {
  const args = [urlOf(`/big/${bytes}`), `${size}`, '20'];
  const { stdout } = await promisify(execFile)(program, args);
  expect(stdout.trim().split('\n')).toEqual(Array.from({ length: 20 }, () => `HTTP/2.0 ${bytes}`));
});

test.each([
  ['narrow windows', ['-w', '14', '-W', '16']],
  ['wide windows', ['-w', '24', '-W', '28']],
])('h2load with %s', async (_name, windows) => {
  const load = ['-n', '500', '-c', '4', '-m', '50', ...windows];
  const { stdout } = await promisify(execFile)('h2load', [...load, urlOf('/big/50000')]);
  expect(stdout).toContain('500 succeeded, 0 failed, 0 errored, 0 timeout');
});
