/**
 * Credentials of a client never appear in logs, output or frames, whatever the client does wrong.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { nodePorts } from '../../../engine/src/node/ports.ts';
import type { Log } from '../../../engine/src/ports/log.ts';
import type { RunningServer } from '../../../engine/src/server/server.ts';
import { reach, startFake } from '../../support/fake-generation.ts';
import type { Field } from '../../support/hpack-reader.ts';
import {
  dataFrame,
  flags,
  frame,
  frameTypes,
  headerBlock,
  headersFrame,
  requestFields,
  rstStream,
} from '../../support/http2-frames.ts';
import { openRaw } from '../../support/raw-http2.ts';
import { connectionFaults, type FaultCase, streamFaults, token } from './fault-cases.ts';

let server: RunningServer;
const written: string[] = [];
const log: Log = {
  event(level, message, fields) {
    written.push(JSON.stringify({ level, message, fields }));
  },
};

beforeAll(async () => {
  server = await startFake({ decisionLog: log, ports: { ...nodePorts(), log } });
});
afterAll(() => server.close(100));

beforeEach(() => {
  const keep = (text: unknown): boolean => {
    written.push(String(text));
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
  vi.spyOn(process.stderr, 'write').mockImplementation(keep);
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...values) => {
      written.push(values.map(String).join(' '));
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  written.length = 0;
});

/**
 * Returns everything that the client received and that was written, once the connection has
 * settled.
 */
const everythingWrittenFor = async (sent: readonly Buffer[]): Promise<string> => {
  const client = await openRaw(reach(server));
  client.send(...sent);
  await client.alive().catch(() => client.ended());
  client.close();
  const receivedTexts = client.frames.flatMap(({ payload, fields = [] }) => [
    payload.toString('latin1'),
    ...fields.flat(),
  ]);
  return [...written, ...receivedTexts].join('\n');
};

const credential: Field = ['authorization', `Bearer ${token}`];
const review = requestFields({
  method: 'POST',
  path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  fields: [credential],
});
const whole = flags.endHeaders | flags.endStream;

const cutOff = headerBlock([credential]).subarray(0, -1);

const others: readonly Pick<FaultCase, 'name' | 'sent'>[] = [
  { name: 'a capital', sent: [headersFrame(1, [...review, ['A', 'b']])] },
  {
    name: 'a line break',
    sent: [headersFrame(1, [...requestFields(), ['authorization', `${token}\n`]])],
  },
  { name: 'a name', sent: [headersFrame(1, [...requestFields(), [`${token}\n`, 'a']])] },
  {
    name: 'a pseudo-header field',
    sent: [headersFrame(1, [[`:${token}`, 'a'], ...requestFields()])],
  },
  {
    name: 'an invalid path',
    sent: [headersFrame(1, requestFields({ path: `/%zz?token=${token}` }))],
  },
  {
    name: 'a connection-specific field',
    sent: [headersFrame(1, [...review, ['connection', token]])],
  },
  {
    name: 'a truncated header block',
    sent: [frame(frameTypes.headers, { flags: whole, stream: 1, payload: cutOff })],
  },
  {
    name: 'a body shorter than announced',
    sent: [
      headersFrame(1, [...review, ['content-length', '99']], { more: true }),
      dataFrame(1, token),
    ],
  },
  {
    name: 'a reset in the middle of a body',
    sent: [
      headersFrame(1, review, { more: true }),
      dataFrame(1, token, { more: true }),
      rstStream(1),
    ],
  },
];

test.each([...connectionFaults, ...streamFaults, ...others])('$name', async ({ sent }) => {
  expect(await everythingWrittenFor(sent)).not.toContain(token);
});

test('detects a token in the output', async () => {
  log.event('error', 'a fault', { of: token });
  expect(await everythingWrittenFor([headersFrame(1, review)])).toContain(token);
});
