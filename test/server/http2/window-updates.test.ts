/** Clients that read long responses may send all of their WINDOW_UPDATE frames. */
import { execFile } from 'node:child_process';
import { connect } from 'node:http2';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  headersFrame,
  requestFields,
  settingIds,
  windowUpdate,
} from '../../support/http2-frames.ts';
import { withListener } from './with-listener.ts';

const listener = withListener();
const bytes = 1_000_000;

/**
 * Returns the numbers of bytes that Node's client, which is nghttp2, reads of concurrent responses.
 */
const readWithNode = async (initialWindowSize: number): Promise<readonly number[]> => {
  const { port, authorityPem } = listener.reach();
  const session = connect(`https://localhost:${port}`, {
    ca: authorityPem,
    settings: { initialWindowSize },
  });
  const read = async (): Promise<number> => {
    let sum = 0;
    for await (const piece of session.request({ ':path': `/big/${bytes / 4}` }))
      sum += piece.length;
    return sum;
  };
  try {
    return await Promise.all(Array.from({ length: 4 }, read));
  } finally {
    session.destroy();
  }
};

test.each([1024, 65_535, 10_000_000])('nghttp2 with windows of %i bytes', async (window) => {
  expect(await readWithNode(window)).toEqual(Array.from({ length: 4 }, () => bytes / 4));
});

/** Go's client increases both windows for each piece that its caller reads, from 4 KiB on. */
test('a client that sends WINDOW_UPDATE for each 4 KiB on the connection and on the stream', async () => {
  const client = await listener.open({ settings: [[settingIds.initialWindowSize, 65_535]] });
  const piece = 4096;
  let credited = 0;
  client.send(headersFrame(1, requestFields({ path: `/big/${bytes}` })));
  while (!client.received(1).hasEnded) {
    await client.until(
      () => client.dataBytes(1) >= credited + piece || client.received(1).hasEnded,
      'more of the body',
    );
    for (; credited + piece <= client.dataBytes(1); credited += piece) {
      client.send(windowUpdate(0, piece), windowUpdate(1, piece));
    }
  }
  expect(client.dataBytes(1)).toBe(bytes);
  await client.alive();
});

test('curl', async () => {
  const { port } = listener.reach();
  const args = ['-sk', '--http2', '-o', '/dev/null', '-w', '%{http_version} %{size_download}'];
  const { stdout } = await promisify(execFile)('curl', [
    ...args,
    `https://127.0.0.1:${port}/big/${bytes}`,
  ]);
  expect(stdout).toBe(`2 ${bytes}`);
});
