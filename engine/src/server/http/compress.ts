/**
 * Large API objects for clients that take gzip, by the rules of the real server's
 * `responsewriters.SerializeObject`: any verb and any form, weights are not understood, and only the
 * first Accept-Encoding counts. Bytes are pressed beside the event loop.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { firstHeader } from '../../model/header-list.ts';
import type { HandlerResponse } from './handler-response.ts';
import type { Exchange } from './exchange.ts';

/** Up to so many bytes go as they are. */
const gzipThresholdBytes = 128 * 1024;

/** The answer itself where there is nothing to do, and where nobody waits for it. */
export const compress = (
  response: HandlerResponse,
  exchange: Pick<Exchange, 'headers' | 'isGivenUp'>,
): HandlerResponse | Promise<HandlerResponse> => {
  const isWanted =
    response.isObject === true &&
    Buffer.byteLength(response.body) > gzipThresholdBytes &&
    acceptsGzip(firstHeader(exchange.headers, 'accept-encoding') ?? '') &&
    !exchange.isGivenUp();
  return isWanted ? gzipResponse(response) : response;
};

const acceptsGzip = (accepted: string): boolean =>
  accepted.split(',').some((coding) => coding.trim() === 'gzip');

const gzipAsync = promisify(gzip);

const gzipResponse = async (response: HandlerResponse): Promise<HandlerResponse> => ({
  ...response,
  headers: [['Content-Encoding', 'gzip'], ...response.headers, ['Vary', 'Accept-Encoding']],
  // The level that costs least.
  body: await gzipAsync(response.body, { level: 1 }),
});
