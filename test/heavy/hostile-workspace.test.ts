/**
 * Opens hostile workspaces: there is no request over the network, no new process, no write and no
 * read outside of the workspace, and no markup of its files reaches the user. strace observes this.
 */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { findingsInAnswer } from '../editor/hostile/answers.ts';
import { type RecordedAnswer, runSession, type Session } from '../editor/hostile/session.ts';
import { findingsIn } from '../editor/hostile/trace.ts';
import { type HostileCase, ownCases, tableCases } from '../editor/hostile/workspaces.ts';

/** What belongs to one case alone. */
const wanted: Readonly<Record<string, (session: Session) => void>> = {
  'ED-005': ({ answers: said }) => expect(messagesIn(said).join('\n')).toContain('169.254.169.254'),
  'ED-007': ({ exists }) => expect(exists('../written')).toBe(false),
  'ED-009': ({ errors: refused }) =>
    expect(refused).toContainEqual({
      what: 'authgraph/memorySample',
      answer: 'this is or contains a token; send only its claims',
    }),
  'ED-010': ({ answers: said, peakMemoryMiB: mostMemory }) => {
    expect(firstDiagnostics(said)).toMatchObject([{ code: 'AG1004' }]);
    expect(mostMemory).toBeLessThan(400);
  },
  'ED-011': ({ answers: said, peakMemoryMiB: mostMemory }) => {
    expect(firstDiagnostics(said).length).toBeGreaterThan(0);
    expect(mostMemory).toBeLessThan(400);
  },
  'ED-013': ({ answers: said }) => expect(JSON.stringify(said)).toContain('__proto__'),
  'ED-014': ({ answers: said }) =>
    expect(JSON.stringify(answersTo(said, 'authgraph/whoami'))).toMatch(
      /alder[\u2400-\u2421\ufffd]|alder\\\\u/,
    ),
};

const answersTo = (said: readonly RecordedAnswer[], method: string): readonly unknown[] =>
  said.filter(({ what }) => what === method).map(({ answer }) => answer);

const firstDiagnostics = (said: readonly RecordedAnswer[]): readonly unknown[] => {
  const [first] = answersTo(said, 'textDocument/diagnostic');
  const items: unknown = first === undefined ? [] : Reflect.get(Object(first), 'items');
  return Array.isArray(items) ? items : [];
};

const messagesIn = (said: readonly RecordedAnswer[]): readonly string[] =>
  answersTo(said, 'textDocument/diagnostic').map((answer) => JSON.stringify(answer));

test('the watcher is there', () => {
  expect(spawnSync('strace', ['-V'], { encoding: 'utf8' }).stdout).toContain('strace');
});

describe.each([...tableCases(), ...ownCases()])('$id $why', (given: HostileCase) => {
  test('INV-E1 INV-E2 nothing happens but an answer', async () => {
    const session = await runSession(given);
    const { answers: said, errors: refused, stderr, exitCode, trace, workspace, place } = session;
    expect(findingsIn(trace, { workspace, place })).toEqual([]);
    expect(trace).toContain('execve(');
    expect(exitCode).toBe(0);
    expect(stderr).toBe('');
    expect(answersTo(said, 'window/logMessage')).toEqual([]);
    expect(answersTo(said, 'workspace/applyEdit')).toEqual([]);
    const refusals = refused.filter(({ what }) => what !== 'authgraph/memorySample');
    expect(refusals).toEqual([]);
    const findings = said.flatMap(({ what, answer }) =>
      findingsInAnswer(answer).map((finding) => `${what}: ${finding}`),
    );
    expect([...new Set(findings)]).toEqual([]);
    const whole = JSON.stringify([said, refused]);
    for (const secret of given.secrets) expect(whole).not.toContain(secret);
    expect(said.length).toBeGreaterThan(30);
    wanted[given.id]?.(session);
  });
});
