/**
 * The server's listener with a handler made by hand, for what is below requests: what a path answers
 * stands in `answerTo`, and what became of each request is told.
 */
import { once } from 'node:events';
import { firstHeader } from '../../engine/src/model/header-list.ts';
import type { SentResponse } from '../../engine/src/server/http/sent-response.ts';
import type { IncomingRequest } from '../../engine/src/server/http/exchange.ts';
import { bodyLimits, connectionLimits } from '../../engine/src/server/limits.ts';
import { type Listener, listen } from '../../engine/src/server/listener.ts';
import { createSelfSigned } from '../../engine/src/server/tls/self-signed.ts';
import type { Field } from './hpack-reader.ts';
import type { Http2Server } from './http2-connection.ts';
import { serverMemory } from './server-memory.ts';

export interface AnsweringListener {
  readonly reach: Required<Http2Server>;
  /** `/path?query begun`; `whole`, `broken` or `tooLarge`: its body; `cut`; `over`: its pieces. */
  readonly told: readonly string[];
  /** Lets go what waits at `/wait`, and at `/stubborn` and `/endless`, which mind no client that goes. */
  release(): void;
  close: Listener['close'];
}

/** What an `/echo` answers. */
export interface Echo {
  readonly method: string;
  readonly headers: readonly Field[];
  /** Of a long one its length. */
  readonly body: string;
}

/** A body of so many bytes, each place of which tells where it is. */
export const patterned = (bytes: number): string => {
  if (longest.length < bytes) {
    longest = Array.from({ length: Math.ceil(bytes / 8) }, (_, index) =>
      `${index}`.padStart(8, '.'),
    ).join('');
  }
  return longest.slice(0, bytes);
};

/** Made once: long ones take longer to make than to send. */
let longest = '';

export const startAnswering = async ({
  maxStreams = connectionLimits.concurrentStreams,
}: {
  readonly maxStreams?: number;
} = {}): Promise<AnsweringListener> => {
  const made = createSelfSigned({ hosts: ['localhost', '127.0.0.1'], now: Date.now() });
  const told: string[] = [];
  const waiting = new Set<() => void>();
  const listener = await listen({
    address: '127.0.0.1',
    port: 0,
    http2: { maxStreams },
    memory: serverMemory(),
    certificate: { certificatePem: made.certificatePem, privateKeyPem: made.privateKeyPem },
    reportError: (error) => told.push(`fault ${String(error)}`),
    handle: (incoming) => {
      const { rawTarget } = incoming.request;
      told.push(`${rawTarget} begun`);
      return answerTo(incoming, { tell: (what) => told.push(`${rawTarget} ${what}`), waiting });
    },
  });
  return {
    reach: { port: listener.address.port, authorityPem: made.authorityPem },
    told,
    release() {
      for (const letGo of waiting) letGo();
    },
    close: (graceMs) => listener.close(graceMs),
  };
};

interface Surroundings {
  readonly tell: (what: string) => void;
  readonly waiting: Set<() => void>;
}

const answerTo = async (incoming: IncomingRequest, around: Surroundings): Promise<SentResponse> => {
  const { method, rawTarget, headers } = incoming.request;
  const [, kind = '', detail = ''] = rawTarget.split(/[/?]/);
  switch (kind) {
    case 'livez':
      return plain(200, 'ok');
    case 'goodbye':
      return { ...plain(401, 'go'), close: true };
    case 'big':
      return plain(200, patterned(Number(detail)));
    case 'pieces':
      return { ...plain(200, ''), stream: () => pieces(Number(detail), around) };
    case 'heads':
      return { ...plain(200, ''), headers: [['x-pad', 'a'.repeat(Number(detail))]] };
    case 'wait':
      await untilLetGo(incoming, around);
      return plain(200, detail);
    case 'stubborn':
      await new Promise<void>((resolve) => around.waiting.add(resolve));
      return plain(200, '');
    case 'endless':
      await new Promise<void>((resolve) => around.waiting.add(resolve));
      return { ...plain(200, ''), stream: (signal) => endless(signal, around) };
    case 'echo': {
      const body = await incoming.readBody(bodyLimits.bytes);
      around.tell(body.kind === 'bytes' ? 'whole' : body.kind);
      if (body.kind === 'tooLarge') return plain(413, 'too large');
      if (body.kind === 'broken') return plain(400, 'broken');
      const fields = headers.map(({ name, value }): Field => [name, value]);
      const { length } = body.bytes;
      const text = length > 4096 ? `${length} bytes` : Buffer.from(body.bytes).toString('latin1');
      return plain(200, JSON.stringify({ method, headers: fields, body: text } satisfies Echo));
    }
    case 'whose':
      return plain(200, firstHeader(headers, 'authorization') ?? 'nobody');
    default:
      throw new Error(`unreachable: no answer to ${rawTarget}`);
  }
};

const plain = (status: number, body: string): SentResponse => ({
  status,
  headers: [['Content-Type', 'text/plain']],
  body,
  close: false,
});

/** Goes on until it is ended. */
async function* endless(signal: AbortSignal, { tell }: Surroundings) {
  try {
    yield 'first';
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    tell('over');
  }
}

async function* pieces(count: number, { tell }: Surroundings) {
  try {
    for (let index = 0; index < count; index += 1) yield patterned(16_384);
  } finally {
    tell('over');
  }
}

const untilLetGo = ({ signal }: IncomingRequest, { tell, waiting }: Surroundings): Promise<void> =>
  new Promise((resolve) => {
    waiting.add(resolve);
    signal.addEventListener('abort', () => {
      tell('cut');
      resolve();
    });
  });
