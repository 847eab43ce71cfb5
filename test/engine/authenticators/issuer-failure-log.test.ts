/** The log lines about an issuer that does not answer. */
import { expect, test } from 'vitest';
import { issuerFailureLog } from '../../../engine/src/authenticators/jwt/issuer-failure-log.ts';
import { manualClock } from '../../support/manual-clock.ts';

interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const setUp = () => {
  const time = manualClock();
  const lines: Line[] = [];
  const outage = issuerFailureLog({
    issuer: 'https://issuer.example',
    message: 'issuer discovery failed',
    clock: time.clock,
    log: { event: (level, message, fields = {}) => lines.push({ level, message, fields }) },
  });
  const secondsLater = (seconds: number): void => time.pass(seconds * 1_000);
  return { lines, outage, secondsLater };
};

test('an hour of failures every ten seconds is a few lines, which count the others', () => {
  const { lines, outage, secondsLater } = setUp();
  for (let second = 0; second < 3_600; second += 10) {
    outage.failed('dial tcp: connection refused');
    secondsLater(10);
  }
  expect(lines.map(({ fields }) => fields.since)).toEqual([
    undefined,
    ...['20s', '1m0s', '2m20s', '5m0s', '10m20s', '20m20s', '30m20s', '40m20s', '50m20s'],
  ]);
  expect(lines[0]).toEqual({
    level: 'warn',
    message: 'issuer discovery failed',
    fields: { issuer: 'https://issuer.example', error: 'dial tcp: connection refused' },
  });
  expect(lines[2]?.fields).toMatchObject({ failures: 7, omitted: 3 });
  const counted = lines.reduce((sum, { fields }) => sum + 1 + Number(fields.omitted ?? 0), 0);
  // The failures after the last line are counted in the next one.
  expect(360 - counted).toBe(57);
});

test('recovery is reported once, with the length of the outage', () => {
  const { lines, outage, secondsLater } = setUp();
  outage.succeeded();
  expect(lines).toEqual([]);
  outage.failed('timeout');
  secondsLater(190);
  outage.failed('timeout');
  outage.succeeded();
  outage.succeeded();
  expect(lines.at(-1)).toEqual({
    level: 'info',
    message: 'issuer answers again',
    fields: { issuer: 'https://issuer.example', after: '3m10s', failures: 2 },
  });
  expect(lines).toHaveLength(3);
  outage.failed('timeout');
  expect(lines.at(-1)?.fields).toEqual({ issuer: 'https://issuer.example', error: 'timeout' });
});

test('a new error is logged at once, but an issuer cannot force a line for each failure', () => {
  const { lines, outage, secondsLater } = setUp();
  outage.failed('no such host');
  secondsLater(10);
  outage.failed('certificate has expired');
  expect(lines.map(({ fields }) => fields.error)).toEqual([
    'no such host',
    'certificate has expired',
  ]);
  for (let count = 0; count < 1_000; count += 1) outage.failed(`error ${count}`);
  expect(lines.length).toBeLessThanOrEqual(8);
});

test('the response of an issuer is shortened', () => {
  const { lines, outage } = setUp();
  outage.failed('x'.repeat(1_000_000));
  expect(String(lines[0]?.fields.error)).toHaveLength(1_025);
});
