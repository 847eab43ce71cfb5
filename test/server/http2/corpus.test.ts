/**
 * Inputs that the coverage-guided fuzzer found (`test/fuzz/http2.ts`): each satisfies the rules of
 * its target, and nghttp2 rejects exactly the header blocks that the server rejects.
 */
import { connect } from 'node:http2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HpackDecoder, HpackError } from '../../../engine/src/server/http2/hpack/decoder.ts';
import { readCorpus } from '../../fuzz/http2/corpus.ts';
import { blocksOf, runTarget, targetNames } from '../../fuzz/http2/targets.ts';
import { errorCodes } from '../../support/http2-frames.ts';
import { type Peer, startPeer } from './hpack-peer.ts';

const corpus = readCorpus();

test.each(targetNames)('%s', async (target) => {
  const inputs = corpus.filter((entry) => entry.target === target);
  expect(inputs.length).toBeGreaterThan(5);
  for (const { input } of inputs) {
    await runTarget(target, input).catch((error: unknown) => {
      throw new Error(`${input.toString('base64')}: ${error}`);
    });
  }
});

test('rejects an invalid preface at the first differing byte, however it is split', async () => {
  await runTarget('frames', Buffer.from('PRI * HTTP/2.0\r\n\r\u0005\0\0', 'latin1'));
});

describe('nghttp2', () => {
  let block: Buffer = Buffer.alloc(0);
  let peer: Peer;
  beforeAll(async () => {
    peer = await startPeer({ headerTableBytes: 4096, answer: () => block });
  });
  afterAll(() => peer.close());

  /** Returns true if nghttp2 ends the connection with COMPRESSION_ERROR for the block. */
  const isRejected = async (bytes: Buffer): Promise<boolean> => {
    block = bytes;
    const before = peer.goaways.length;
    const session = connect(peer.origin);
    session.on('error', () => {});
    const stream = session.request({ ':path': '/' });
    await new Promise<void>((resolve) => {
      stream.on('error', () => {}).on('close', resolve);
      stream.resume();
    });
    await new Promise<void>((resolve) => {
      if (session.destroyed) resolve();
      else session.once('close', resolve).close();
    });
    await expect.poll(() => peer.open).toBe(0);
    return peer.goaways.slice(before).includes(errorCodes.compressionError);
  };

  const isRejectedByServer = (bytes: Buffer): boolean => {
    try {
      new HpackDecoder({ tableBytes: 4096 }).decode(bytes, 2 ** 20);
      return false;
    } catch (error) {
      if (!(error instanceof HpackError)) throw error;
      return true;
    }
  };

  test('rejects the first blocks of all inputs that the server rejects, and no others', async () => {
    const blocks = corpus
      .filter(({ target }) => target === 'hpack')
      .flatMap(({ input }) => blocksOf(input).slice(0, 1));
    const different: string[] = [];
    for (const each of blocks) {
      if ((await isRejected(each)) !== isRejectedByServer(each))
        different.push(each.toString('hex'));
    }
    expect(different).toEqual([]);
  });
});
