/** A shared listener for a test file, and clients that are closed after each test. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type AnsweringListener, startAnswering } from '../../support/answering-listener.ts';
import { openRaw, type RawHttp2, type RawOptions } from '../../support/raw-http2.ts';

export interface TestListener {
  open(options?: RawOptions): Promise<RawHttp2>;
  reach(): AnsweringListener['reach'];
  /** Events as in `AnsweringListener`, since the test began. */
  events(): readonly string[];
  release(): void;
}

export const withListener = (): TestListener => {
  let listener: AnsweringListener;
  let eventsBefore = 0;
  const clients: RawHttp2[] = [];
  beforeAll(async () => {
    listener = await startAnswering();
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
    eventsBefore = listener.events.length;
  });
  afterAll(() => listener.close(100));
  return {
    async open(options) {
      const client = await openRaw(listener.reach, options);
      clients.push(client);
      return client;
    },
    reach: () => listener.reach,
    events: () => listener.events.slice(eventsBefore),
    release: () => listener.release(),
  };
};
