/** The log lines of a shutdown. */
import { expect, test } from 'vitest';
import type { Log } from '../../engine/src/ports/log.ts';
import { startFake } from '../support/fake-generation.ts';
import { sendHttps } from '../support/https-request.ts';

const setUp = () => {
  const events: Readonly<Record<string, unknown>>[] = [];
  const log: Log = {
    event: (level, message, fields) => void events.push({ level, message, ...fields }),
  };
  return { events, log };
};

test('reports the requests in flight, and those that the grace period did not suffice for', async () => {
  const { events, log } = setUp();
  const never = Promise.withResolvers<never>();
  const begun = Promise.withResolvers<void>();
  const server = await startFake({
    ports: { log },
    decide: () => {
      begun.resolve();
      return never.promise;
    },
  });
  const request = sendHttps({ port: server.port, path: '/livez' }).catch(() => 'cut off');
  await begun.promise;
  await server.close(50);
  expect(await request).toBe('cut off');
  const shown = events.filter(({ message }) => String(message).startsWith('shut'));
  expect(shown).toEqual([
    { level: 'info', message: 'shutting down', requests: 1, watches: 0, graceSeconds: 0.05 },
    {
      level: 'warn',
      message: 'shut down',
      seconds: expect.any(Number),
      requestsCutOff: 1,
      connectionsCutOff: 1,
    },
  ]);
});

test('reports an idle server, once', async () => {
  const { events, log } = setUp();
  const server = await startFake({ ports: { log } });
  expect((await sendHttps({ port: server.port, path: '/livez' })).status).toBe(200);
  await Promise.all([server.close(5_000), server.close(5_000)]);
  await server.close(5_000);
  expect(events.map(({ level, message }) => `${level} ${message}`)).toEqual([
    'info shutting down',
    'info shut down',
  ]);
  expect(events[0]).toMatchObject({ requests: 0, watches: 0 });
});
