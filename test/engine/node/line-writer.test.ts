/** A reader that does not read costs limited memory and no time. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { lineWriter } from '../../../engine/src/node/line-writer.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder = '';
let pipe = -1;

beforeEach(() => {
  folder = temporaryFolder(onTestFinished).path;
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  // A pipe whose two ends are in this process; only the test reads it.
  pipe = openSync(join(folder, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK);
});
afterEach(() => {
  closeSync(pipe);
});

const readAll = (): string => {
  const pieces: Buffer[] = [];
  for (;;) {
    const buffer = Buffer.alloc(65_536);
    try {
      const length = readSync(pipe, buffer);
      pieces.push(buffer.subarray(0, length));
    } catch {
      return Buffer.concat(pieces).toString();
    }
  }
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('drops and counts lines beyond the limit, and writes the others in order', async () => {
  let dropped = 0;
  const writer = lineWriter(pipe, {
    maxBufferedCharacters: 200_000,
    onDropped: () => {
      dropped += 1;
    },
  });
  const line = (at: number) => `${String(at).padStart(99, '0')}\n`;
  for (let at = 0; at < 5_000; at += 1) writer.write(line(at));
  expect(dropped).toBe(3_000);
  let text = '';
  while (text.length < 200_000) {
    text += readAll();
    await turn();
  }
  expect(text).toBe(Array.from({ length: 2_000 }, (_, at) => line(at)).join(''));
  writer.write('on\n');
  while (!text.endsWith('on\n')) {
    text += readAll();
    await turn();
  }
  expect(dropped).toBe(3_000);
});

test('does not keep the process from exiting', () => {
  let dropped = 0;
  const writer = lineWriter(pipe, {
    maxBufferedCharacters: 1_000_000,
    onDropped: () => {
      dropped += 1;
    },
  });
  writer.write('x'.repeat(500_000));
  writer.flush();
  writer.write('after\n');
  expect(dropped).toBe(1);
  expect(readAll()).toMatch(/^x+$/);
});
