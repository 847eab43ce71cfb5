/** Reads responses, which are bounded in size (compressed and decompressed) and in time. */
import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { HttpResponse } from '../ports/http-client.ts';
import { bodyError, type RequestTarget } from './http-failures.ts';

/** Returns a signal that aborts at the deadline of the request or when the caller aborts it. */
export const deadlineOf = ({
  timeoutMs,
  signal,
}: {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}): AbortSignal => {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
};

/** Reads the whole response. */
export const readResponse = async (
  target: RequestTarget,
  response: Dispatcher.ResponseData,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<HttpResponse> => {
  const headers = firstValues(response.headers);
  const isCompressed = headers.get('content-encoding')?.toLowerCase() === 'gzip';
  try {
    const bodyChunks = bounded(response.body, maxBytes);
    const body = isCompressed ? await decompress(bodyChunks, maxBytes) : await collect(bodyChunks);
    if (isCompressed)
      for (const name of ['content-encoding', 'content-length']) headers.delete(name);
    return {
      status: response.statusCode,
      statusText: statusTextOf(response),
      headers,
      body,
    };
  } catch (cause) {
    discard(response);
    throw bodyError(target, cause, signal);
  }
};

/** Closes the connection instead of reading an unused body; the stream reports that as an error. */
export const discard = ({ body }: Dispatcher.ResponseData): void => {
  body.on('error', () => {});
  body.destroy();
};

async function* bounded(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`response body is larger than ${maxBytes} bytes`);
    yield chunk;
  }
}

const collect = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = [];
  for await (const chunk of chunks) pieces.push(chunk);
  return new Uint8Array(Buffer.concat(pieces));
};

/** Decompresses chunk by chunk, since a small body may decompress to any size. */
const decompress = async (
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> => {
  const source = Readable.from(chunks, { objectMode: false });
  const decompressed = createGunzip();
  source.on('error', (cause) => decompressed.destroy(cause));
  source.pipe(decompressed);
  try {
    return await collect(bounded(decompressed, maxBytes));
  } finally {
    source.destroy();
    decompressed.destroy();
  }
};

const firstValues = (headers: Dispatcher.ResponseData['headers']): Map<string, string> =>
  new Map(Object.entries(headers).map(([name, value]) => [name, firstValue(value)]));

/** Returns the first value of a header that may occur several times. */
export const firstValue = (value: string | string[] | undefined): string =>
  (Array.isArray(value) ? value[0] : value) ?? '';

/** Returns the status with the reason phrase of the response, if a log can print it. */
const statusTextOf = ({ statusCode, statusText }: Dispatcher.ResponseData): string => {
  const reasonPhrase = /^[\x20-\x7e]{1,100}$/.test(statusText)
    ? statusText
    : STATUS_CODES[statusCode];
  return reasonPhrase === undefined ? String(statusCode) : `${statusCode} ${reasonPhrase}`;
};
