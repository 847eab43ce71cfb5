/**
 * Large API objects for clients that take gzip, by the rules of the real server's
 * `responsewriters.SerializeObject`: any verb and any form, weights are not understood, and only the
 * first Accept-Encoding counts. Bytes are pressed beside the event loop.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { firstHeader } from '../../model/header-list.ts';
import type { Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';

/** Up to so many bytes go as they are. */
const plainBytes = 128 * 1024;

/** The answer itself where there is nothing to do, and where nobody waits for it. */
export const compressed = (
  answer: Answer,
  exchange: Pick<Exchange, 'headers' | 'isGivenUp'>,
): Answer | Promise<Answer> => {
  const isWanted =
    answer.isObject === true &&
    Buffer.byteLength(answer.body) > plainBytes &&
    takesGzip(firstHeader(exchange.headers, 'accept-encoding') ?? '') &&
    !exchange.isGivenUp();
  return isWanted ? gzipped(answer) : answer;
};

const takesGzip = (accepted: string): boolean =>
  accepted.split(',').some((coding) => coding.trim() === 'gzip');

const press = promisify(gzip);

const gzipped = async (answer: Answer): Promise<Answer> => ({
  ...answer,
  headers: [['Content-Encoding', 'gzip'], ...answer.headers, ['Vary', 'Accept-Encoding']],
  // The level that costs least.
  body: await press(answer.body, { level: 1 }),
});
