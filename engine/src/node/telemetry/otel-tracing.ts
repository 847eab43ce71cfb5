/** The tracing port on the SDK of OpenTelemetry. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, TextMapGetter, TextMapSetter, Tracer } from '@opentelemetry/api';
import { type HeaderField, type HeaderList, isNamed } from '../../model/header-list.ts';
import type { MaybePromise } from '../../model/maybe-promise.ts';
import type { Span, SpanStart, Tracing } from '../../ports/tracing.ts';

/** What the port needs of the libraries, which are loaded only if tracing is configured. */
export interface OtelParts {
  readonly api: typeof import('@opentelemetry/api');
  readonly tracer: Tracer;
  readonly propagator: import('@opentelemetry/core').W3CTraceContextPropagator;
}

export const otelTracing = ({ api, tracer, propagator }: OtelParts): Tracing => {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
  /** The context of the current span. */
  const current = new AsyncLocalStorage<Context>();
  const parentOf = ({ received }: SpanStart): Context =>
    received === undefined
      ? (current.getStore() ?? ROOT_CONTEXT)
      : propagator.extract(ROOT_CONTEXT, received, receivedFields);
  return {
    inSpan<T>(start: SpanStart, work: (span: Span) => MaybePromise<T>): MaybePromise<T> {
      const { name, kind, attributes } = start;
      const parent = parentOf(start);
      const span = tracer.startSpan(
        name,
        { kind: kinds[kind], attributes: { ...attributes } },
        parent,
      );
      const fail = (message: string): void => {
        span.setStatus({ code: SpanStatusCode.ERROR, message });
      };
      const abandon = (): void => {
        // The error is logged where it is caught, because its message may contain a secret.
        fail('unexpected error');
        span.end();
      };
      const handle: Span = {
        set: (more) => {
          span.setAttributes(more);
        },
        fail,
      };
      let result: MaybePromise<T>;
      try {
        result = current.run(trace.setSpan(parent, span), () => work(handle));
      } catch (error) {
        abandon();
        throw error;
      }
      if (!(result instanceof Promise)) {
        span.end();
        return result;
      }
      return result.then(
        (value) => {
          span.end();
          return value;
        },
        (error: unknown) => {
          abandon();
          throw error;
        },
      );
    },
    contextFields() {
      const fields: HeaderField[] = [];
      propagator.inject(current.getStore() ?? ROOT_CONTEXT, fields, sentFields);
      return fields;
    },
  };
};

const receivedFields: TextMapGetter<HeaderList> = {
  get: (fields, name) => fields.filter((field) => isNamed(field, name)).map((field) => field.value),
  keys: (fields) => fields.map(({ name }) => name),
};

const sentFields: TextMapSetter<HeaderField[]> = {
  set: (fields, name, value) => {
    fields.push({ name, value });
  },
};
