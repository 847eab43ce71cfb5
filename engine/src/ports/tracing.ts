/**
 * The port for traces of requests. Attributes never contain a token, a claim, the name of a user or
 * a header field.
 */
import type { HeaderField, HeaderList } from '../model/header-list.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  readonly name: string;
  /** `server`: a request that was received; `client`: one that is sent; `internal`: work in between. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
  /** The header fields of a received request, whose W3C trace context becomes the parent. */
  readonly received?: HeaderList;
}

export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. The reason must not contain a secret. */
  fail(reason: string): void;
}

export interface Tracing {
  /**
   * Runs work in a span below the current one and ends the span when the work has settled. An
   * exception marks the span as failed and is thrown again.
   */
  inSpan<T>(start: SpanStart, work: (span: Span) => MaybePromise<T>): MaybePromise<T>;
  /** Returns the trace context of the current span as header fields of a request. */
  contextFields(): readonly HeaderField[];
}
