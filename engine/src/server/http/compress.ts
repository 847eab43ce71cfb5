/**
 * Compresses large API objects for clients that accept gzip, by the rules of kube-apiserver's
 * `responsewriters.SerializeObject`: for every verb and format, ignoring quality values, and
 * looking at the first Accept-Encoding field only. zlib runs outside of the event loop.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { firstHeader } from '../../model/header-list.ts';
import type { Exchange } from './exchange.ts';
import type { HandlerResponse } from './handler-response.ts';

/** Bodies of up to this many bytes are sent uncompressed. */
const gzipThresholdBytes = 128 * 1024;

/** Returns the response itself where it is not to be compressed or the client is gone. */
export const compress = (
  response: HandlerResponse,
  exchange: Pick<Exchange, 'headers' | 'isCanceled'>,
): HandlerResponse | Promise<HandlerResponse> => {
  const isWanted =
    response.isObject === true &&
    Buffer.byteLength(response.body) > gzipThresholdBytes &&
    acceptsGzip(firstHeader(exchange.headers, 'accept-encoding') ?? '') &&
    !exchange.isCanceled();
  return isWanted ? gzipResponse(response) : response;
};

const acceptsGzip = (accepted: string): boolean =>
  accepted.split(',').some((coding) => coding.trim() === 'gzip');

const gzipAsync = promisify(gzip);

const gzipResponse = async (response: HandlerResponse): Promise<HandlerResponse> => ({
  ...response,
  headers: [['Content-Encoding', 'gzip'], ...response.headers, ['Vary', 'Accept-Encoding']],
  // The fastest level.
  body: await gzipAsync(response.body, { level: 1 }),
});
