/** The rate limit of the log lines about rejected credentials. */
import { expect, test } from 'vitest';
import type { Decision } from '../../../engine/src/model/decision.ts';
import { authenticationErrorLog } from '../../../engine/src/server/requests/authentication-error-log.ts';
import { manualClock } from '../../support/manual-clock.ts';

interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const setUp = () => {
  const time = manualClock();
  const lines: Line[] = [];
  const counts = new Map<string, number>();
  const errors = authenticationErrorLog({
    clock: time.clock,
    log: { event: (level, message, fields = {}) => lines.push({ level, message, fields }) },
    metrics: {
      increment: (name) => counts.set(name, (counts.get(name) ?? 0) + 1),
      observe: () => {},
      set: () => {},
      forget: () => {},
    },
  });
  const reject = (times: number, reason: Extract<Decision, { kind: 'rejected' }>['reason']) => {
    for (let count = 0; count < times; count += 1) {
      errors.report({ kind: 'rejected', by: 'jwt', reason }, 'id');
    }
  };
  const omittedCount = () => counts.get('authgraph_authentication_errors_omitted_total') ?? 0;
  return { time, lines, errors, reject, omittedCount };
};

const invalid = { code: 'AG5022', message: 'invalid bearer token' };
const rule = { code: 'AG5016', message: 'too old', at: 'jwt[0].claimValidationRules[1]' };

test('a rejection is logged with its error, code and place', () => {
  const { lines, reject } = setUp();
  reject(1, rule);
  expect(lines).toEqual([
    {
      level: 'error',
      message: 'Unable to authenticate the request',
      fields: {
        err: 'too old',
        code: 'AG5016',
        at: 'jwt[0].claimValidationRules[1]',
        requestId: 'id',
      },
    },
  ]);
});

test('a request without a credential is not an error', () => {
  const { lines, errors } = setUp();
  errors.report({ kind: 'noOpinion' }, 'id');
  expect(lines).toEqual([]);
});

test('a flood of one code is limited, its omitted lines are counted, and other codes are logged', () => {
  const { time, lines, reject, omittedCount } = setUp();
  reject(1_000, invalid);
  expect(lines).toHaveLength(20);
  expect(omittedCount()).toBe(980);
  reject(1, rule);
  expect(lines.at(-1)?.fields).toMatchObject({ code: 'AG5016' });
  time.pass(999);
  expect(lines).toHaveLength(21);
  reject(7, invalid);
  // Four lines were earned in the meantime.
  expect(lines).toHaveLength(25);
  time.pass(1);
  expect(lines.at(-1)).toEqual({
    level: 'error',
    message: 'authentication errors omitted from the log',
    fields: { lines: 983, codes: { AG5022: 983 } },
  });
  expect(time.waiting()).toBe(0);
  time.pass(60_000);
  expect(lines).toHaveLength(26);
});

test('a pause earns no more than one burst', () => {
  const { time, lines, reject } = setUp();
  reject(20, invalid);
  time.pass(3_600_000);
  reject(100, invalid);
  expect(lines).toHaveLength(40);
});

test('what is not yet counted in the log is logged at the end', () => {
  const { time, lines, errors, reject } = setUp();
  reject(21, invalid);
  errors.close();
  expect(lines.at(-1)?.fields).toEqual({ lines: 1, codes: { AG5022: 1 } });
  expect(time.waiting()).toBe(0);
});

test('a token in an error is masked', () => {
  const { lines, reject } = setUp();
  reject(1, { code: 'AG5060', message: 'review failed: eyJhbGciOiJub25lIn0.e30.c2ln' });
  expect(lines[0]?.fields).toMatchObject({ err: 'review failed: [redacted]' });
});
