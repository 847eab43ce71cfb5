/** Reads decision logs as streams and replays each line. */
import { keyProbe } from '../../authenticators/jwt/claim-record.ts';
import { readDecisionLine } from '../../simulate/replay/read-record.ts';
import { linkReplay, type ReplaySides } from '../../simulate/replay/replay.ts';
import { countedDecisions } from '../diff/diff-report.ts';
import type { Io } from '../io.ts';
import { BlockBuffers, linesOf, logBlocks } from '../line-blocks.ts';
import { progressBar, sizeOfFile, streamFailure } from '../stream-files.ts';
import { ReplayResult } from './replay-result.ts';

/** Replays all files in order; returns the error of the first one that cannot be read. */
export const replayFiles = async (
  paths: readonly string[],
  sides: ReplaySides,
  io: Io,
): Promise<ReplayResult | { readonly reason: string }> => {
  const replay = linkReplay(sides);
  const result = new ReplayResult();
  const keyId = sides.pseudonym?.(keyProbe);
  const hashes = new Set([sides.after.hash, sides.before?.hash]);
  const buffers = new BlockBuffers();
  for (const path of paths) {
    const file = path === '-' ? 'standard-input' : path;
    try {
      const total = sizeOfFile(path);
      const showProgress = progressBar(file, io, countedDecisions);
      let line = 0;
      let bytes = 0;
      for await (const block of logBlocks(path, buffers)) {
        for (const text of linesOf(block)) {
          line++;
          if (text === undefined) continue;
          const reading = readDecisionLine(text);
          if (reading.kind !== 'decisions') result.addMalformed({ file, line });
          else {
            result.skipped += reading.skipped;
            for (const one of reading.decisions) {
              result.add(replay(one), { file, line });
              if (!hashes.has(one.graph)) result.otherConfiguration++;
              if (keyId !== undefined && (one.claimsKey ?? keyId) !== keyId) result.otherKey++;
            }
          }
        }
        bytes += block.length;
        buffers.recycle(block);
        const isCompressed = path.endsWith('.gz');
        showProgress?.({ bytes, total: isCompressed ? undefined : total, count: result.decisions });
      }
      result.lines += line;
    } catch (cause) {
      return { reason: `${file}: ${await streamFailure(path, cause, io)}` };
    } finally {
      if (io.stderr.isTerminal) io.stderr.replaceLine('');
    }
  }
  return result;
};
