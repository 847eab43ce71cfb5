/** Streams of a connection -> requests at the handler -> answers on their streams. */

import type { LoopShare } from '../fairness/loop-share.ts';
import { textAnswer } from '../http/answer.ts';
import type { Reply } from '../http/complete-answer.ts';
import type { Incoming } from '../http/exchange.ts';
import type { RequestLives } from '../http/request-life.ts';
import type { OpenStreams } from '../http/send-stream.ts';
import type { ConnectionMemory } from '../memory/connection-memory.ts';
import type { Field } from './hpack/field.ts';
import { HeadReader } from './request-headers.ts';
import { Http2Stream, type StreamHost, type StreamStart } from './stream.ts';

/** Whom requests are handed to, and what all connections of a listener share. */
export interface RequestOptions {
  readonly loop: LoopShare;
  readonly handle: (incoming: Incoming) => Reply | Promise<Reply>;
  readonly lives: RequestLives;
  /** Answers that would go on by themselves. */
  readonly streams: OpenStreams;
  /** The most streams that a client may have open on one connection. */
  readonly maxStreams: number;
  /** What the connection holds. */
  readonly memory: ConnectionMemory;
  /** Takes what must not happen. */
  readonly tellFault: (error: unknown) => void;
}

/** As Go's server says it. */
const headTooLong: Reply = {
  status: 431,
  headers: [['Content-Type', 'text/html; charset=utf-8']],
  body: '<h1>HTTP Error 431</h1><p>Request Header Field(s) Too Large</p>',
  close: false,
};

interface Request {
  readonly stream: Http2Stream;
  /** The text of a 400. */
  readonly problem: string | undefined;
}

/** Of one connection. */
export class Requests {
  readonly #host: StreamHost;
  readonly #options: RequestOptions;
  readonly #heads = new HeadReader();
  /** A stream may be gone before its answer is made. */
  #atWork = 0;

  constructor(host: StreamHost, options: RequestOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** Who opens streams and resets them would else have any number at work. */
  get hasRoom(): boolean {
    return this.#atWork < this.#options.maxStreams;
  }

  /** `undefined` for what is no request. */
  read(
    start: Pick<StreamStart, 'id' | 'isWhole' | 'window'>,
    fields: readonly Field[],
  ): Request | undefined {
    const read = this.#heads.read(fields);
    if (read.kind === 'malformed') return undefined;
    const { head, bodyBytes, problem } = read;
    if (start.isWhole && (bodyBytes ?? 0) > 0) return undefined;
    const life = this.#options.lives.begin();
    return { stream: new Http2Stream({ ...start, head, bodyBytes }, this.#host, life), problem };
  }

  /** `isCut`: there is more of the head than we read. */
  begin({ stream, problem }: Request, { isCut }: { readonly isCut: boolean }): void {
    if (isCut) {
      stream.answer(headTooLong);
      stream.served();
    } else if (problem !== undefined) {
      stream.answer({ ...textAnswer(400, `${problem}\n`), close: false });
      stream.served();
    } else {
      void this.#serve(stream);
    }
  }

  async #serve(stream: Http2Stream): Promise<void> {
    const { handle, tellFault, memory } = this.#options;
    this.#atWork += 1;
    memory.beginRequest();
    try {
      stream.answer(await handle(stream));
    } catch (error) {
      tellFault(error);
      stream.breakOff();
    } finally {
      this.#atWork -= 1;
      memory.endRequest();
      stream.served();
    }
  }
}
