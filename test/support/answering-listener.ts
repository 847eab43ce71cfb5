/**
 * The listener with a simple handler, for tests below the level of API requests: the path selects
 * the response in `answerTo`, and the fate of each request is recorded.
 */
import { once } from 'node:events';
import { firstHeader } from '../../engine/src/model/header-list.ts';
import type { IncomingRequest } from '../../engine/src/server/http/incoming-request.ts';
import type { OutgoingResponse } from '../../engine/src/server/http/outgoing-response.ts';
import { bodyLimits, connectionLimits } from '../../engine/src/server/limits.ts';
import { type Listener, listen } from '../../engine/src/server/listener.ts';
import { createSelfSigned } from '../../engine/src/server/tls/self-signed.ts';
import type { Field } from './hpack-reader.ts';
import type { Http2Server } from './http2-connection.ts';
import { serverMemory } from './server-memory.ts';

export interface AnsweringListener {
  readonly reach: Required<Http2Server>;
  /**
   * Events such as `/path?query begun`; `whole`, `broken` or `tooLarge` for the body; `cut` on
   * cancellation; `over` at the end of a streamed response.
   */
  readonly events: readonly string[];
  /**
   * Releases requests that wait at `/wait`, and at `/stubborn` and `/endless`, which ignore
   * cancellation.
   */
  release(): void;
  close: Listener['close'];
}

/** The response of `/echo`. */
export interface Echo {
  readonly method: string;
  readonly headers: readonly Field[];
  /** The body, or its length if it is long. */
  readonly body: string;
}

/** Returns a body of so many bytes whose content shows the offset. */
export const patterned = (bytes: number): string => {
  if (longestPattern.length < bytes) {
    longestPattern = Array.from({ length: Math.ceil(bytes / 8) }, (_, index) =>
      `${index}`.padStart(8, '.'),
    ).join('');
  }
  return longestPattern.slice(0, bytes);
};

/** Cached, since creating a long pattern takes longer than sending it. */
let longestPattern = '';

export const startAnswering = async ({
  maxStreams = connectionLimits.concurrentStreams,
}: {
  readonly maxStreams?: number;
} = {}): Promise<AnsweringListener> => {
  const certificate = createSelfSigned({ hosts: ['localhost', '127.0.0.1'], now: Date.now() });
  const events: string[] = [];
  const waiting = new Set<() => void>();
  const listener = await listen({
    address: '127.0.0.1',
    port: 0,
    http2: { maxStreams },
    memory: serverMemory(),
    certificate: {
      certificatePem: certificate.certificatePem,
      privateKeyPem: certificate.privateKeyPem,
    },
    reportError: (error) => events.push(`fault ${String(error)}`),
    handle: (incoming) => {
      const { rawTarget } = incoming.request;
      events.push(`${rawTarget} begun`);
      return answerTo(incoming, { record: (what) => events.push(`${rawTarget} ${what}`), waiting });
    },
  });
  return {
    reach: { port: listener.address.port, authorityPem: certificate.authorityPem },
    events,
    release() {
      for (const resolve of waiting) resolve();
    },
    close: (graceMs) => listener.close(graceMs),
  };
};

interface HandlerContext {
  readonly record: (what: string) => void;
  readonly waiting: Set<() => void>;
}

const answerTo = async (
  incoming: IncomingRequest,
  context: HandlerContext,
): Promise<OutgoingResponse> => {
  const { method, rawTarget, headers } = incoming.request;
  const [, kind = '', detail = ''] = rawTarget.split(/[/?]/);
  switch (kind) {
    case 'livez':
      return plain(200, 'ok');
    case 'close':
      return { ...plain(401, 'go'), close: true };
    case 'big':
      return plain(200, patterned(Number(detail)));
    case 'pieces':
      return { ...plain(200, ''), stream: () => pieces(Number(detail), context) };
    case 'headers':
      return { ...plain(200, ''), headers: [['x-pad', 'a'.repeat(Number(detail))]] };
    case 'wait':
      await untilReleased(incoming, context);
      return plain(200, detail);
    case 'stubborn':
      await new Promise<void>((resolve) => context.waiting.add(resolve));
      return plain(200, '');
    case 'endless':
      await new Promise<void>((resolve) => context.waiting.add(resolve));
      return { ...plain(200, ''), stream: (signal) => endless(signal, context) };
    case 'echo': {
      const body = await incoming.readBody(bodyLimits.bytes);
      context.record(body.kind === 'bytes' ? 'whole' : body.kind);
      if (body.kind === 'tooLarge') return plain(413, 'too large');
      if (body.kind === 'broken') return plain(400, 'broken');
      const fields = headers.map(({ name, value }): Field => [name, value]);
      const { length } = body.bytes;
      const text = length > 4096 ? `${length} bytes` : Buffer.from(body.bytes).toString('latin1');
      return plain(200, JSON.stringify({ method, headers: fields, body: text } satisfies Echo));
    }
    case 'whose':
      return plain(200, firstHeader(headers, 'authorization') ?? 'none');
    default:
      throw new Error(`unreachable: no response for ${rawTarget}`);
  }
};

const plain = (status: number, body: string): OutgoingResponse => ({
  status,
  headers: [['Content-Type', 'text/plain']],
  body,
  close: false,
});

/** Sends until it is ended. */
async function* endless(signal: AbortSignal, { record }: HandlerContext) {
  try {
    yield 'first';
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    record('over');
  }
}

async function* pieces(count: number, { record }: HandlerContext) {
  try {
    for (let index = 0; index < count; index += 1) yield patterned(16_384);
  } finally {
    record('over');
  }
}

const untilReleased = (
  { signal }: IncomingRequest,
  { record, waiting }: HandlerContext,
): Promise<void> =>
  new Promise((resolve) => {
    waiting.add(resolve);
    signal.addEventListener('abort', () => {
      record('cut');
      resolve();
    });
  });
