/** Runs h2spec against our listener. Needs Go to build it once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goBuildMs } from '../../deploy/go-programs/go-program.ts';
import type { RunningServer } from '../../engine/src/server/server.ts';
import { startFake } from '../support/fake-generation.ts';
import { type H2specCase, h2specProgram, runH2spec } from '../support/h2spec.ts';

/** The number of cases of the release. */
const caseCount = 146;

/** kube-apiserver answers these with status 400, h2spec accepts only RST_STREAM: Go fails them, too. */
const answeredLikeKubeApiserver = ['http2/8.1.2.2/1', 'http2/8.1.2.2/2'];

let server: RunningServer;
let cases: readonly H2specCase[] = [];

beforeAll(async () => {
  const program = h2specProgram();
  // Every request is authenticated: kube-apiserver closes other connections; h2spec has no token.
  server = await startFake({
    decide: async () => ({
      kind: 'accepted',
      user: { username: 'h2spec', uid: '', groups: ['system:masters'], extra: new Map() },
      audiences: [],
      by: 'jwt',
    }),
  });
  // The answer is long enough for the cases about windows.
  cases = await runH2spec(program, { port: server.port, path: '/livez?verbose' });
}, goBuildMs);
afterAll(() => server?.close(100));

test('every case was tried', () => {
  expect(cases).toHaveLength(caseCount);
  expect(cases.filter(({ outcome }) => outcome === 'skipped')).toEqual([]);
});

test('fails no case that kube-apiserver passes', () => {
  const failed = cases.filter(({ outcome }) => outcome === 'failed');
  const surprising = failed.filter(({ id }) => !answeredLikeKubeApiserver.includes(id));
  expect(surprising).toEqual([]);
});

test.each(answeredLikeKubeApiserver)('%s is answered with 400', (id) => {
  const found = cases.find((each) => each.id === id);
  expect(found?.outcome).toBe('failed');
  expect(found?.output).toMatch(/DATA Frame \(length:\d+, flags:0x01, stream_id:1\)$/);
});
