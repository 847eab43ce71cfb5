/**
 * Receives traces and metrics by OTLP over HTTP, and decodes the protobuf messages of
 * opentelemetry-proto 1.x (trace.proto, metrics.proto, common.proto) as far as tests read them.
 */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback-server.ts';

export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root span. */
  readonly parentId: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** 2 is an error. */
  readonly status: number;
  readonly milliseconds: number;
}

export interface ReceivedMetric {
  readonly name: string;
  readonly points: readonly {
    readonly attributes: Readonly<Record<string, unknown>>;
    /** The value, or the count of a histogram. */
    readonly value: number;
  }[];
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** The newest value of each metric. */
  readonly metrics: ReadonlyMap<string, ReceivedMetric>;
  /** All bytes that were received, as text. */
  bytes(): string;
  close(): Promise<void>;
}

export const otlpReceiver = async (): Promise<OtlpReceiver> => {
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, ReceivedMetric>();
  let bytes = '';
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      bytes += body.toString('latin1');
      if (request.url === '/v1/traces') spans.push(...spansOf(body));
      if (request.url === '/v1/metrics')
        for (const metric of metricsOf(body)) metrics.set(metric.name, metric);
      response.setHeader('content-type', 'application/x-protobuf');
      response.end();
    });
  });
  const { port, close } = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${port}`, spans, metrics, bytes: () => bytes, close };
};

const spansOf = (body: Uint8Array): readonly ReceivedSpan[] =>
  messages(fields(body), 1).flatMap((resourceSpans) => {
    const [resource = noFields] = messages(resourceSpans, 1);
    const service = String(attributesOf(resource, 1)['service.name']);
    return messages(resourceSpans, 2).flatMap((scope) =>
      messages(scope, 2).map((span) => ({
        service,
        traceId: hex(span, 1),
        spanId: hex(span, 2),
        parentId: hex(span, 4),
        name: textOf(span, 5),
        kind: numberOf(span, 6),
        attributes: attributesOf(span, 9),
        status: numberOf(messages(span, 15)[0] ?? noFields, 3),
        milliseconds: (numberOf(span, 8) - numberOf(span, 7)) / 1e6,
      })),
    );
  });

const metricsOf = (body: Uint8Array): readonly ReceivedMetric[] =>
  messages(fields(body), 1)
    .flatMap((resource) => messages(resource, 2))
    .flatMap((scope) => messages(scope, 2))
    .map((metric) => ({
      name: textOf(metric, 1),
      points: [
        ...[5, 7]
          .flatMap((kind) => messages(metric, kind))
          .flatMap((data) => messages(data, 1))
          .map((point) => ({ attributes: attributesOf(point, 7), value: pointValue(point) })),
        ...messages(metric, 9)
          .flatMap((data) => messages(data, 1))
          .map((point) => ({ attributes: attributesOf(point, 9), value: numberOf(point, 4) })),
      ],
    }));

/** The fields of a message by number: bytes, or numbers as 64 bits. */
type Fields = ReadonlyMap<number, readonly (Uint8Array | bigint)[]>;

const noFields: Fields = new Map();

const fields = (bytes: Uint8Array): Fields => {
  const found = new Map<number, (Uint8Array | bigint)[]>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Uint8Array => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const value = ((): Uint8Array | bigint => {
      switch (tag & 7) {
        case 0:
          return varint();
        case 1:
          at += 8;
          return view.getBigUint64(at - 8, true);
        case 2:
          return take(Number(varint()));
        case 5:
          at += 4;
          return BigInt(view.getUint32(at - 4, true));
        default:
          throw new Error(`wire type ${tag & 7}`);
      }
    })();
    const list = found.get(tag >> 3) ?? [];
    list.push(value);
    found.set(tag >> 3, list);
  }
  return found;
};

const messages = (message: Fields, number: number): readonly Fields[] =>
  (message.get(number) ?? []).flatMap((value) => (typeof value === 'bigint' ? [] : fields(value)));

const bytesOf = (message: Fields, number: number): Buffer => {
  const value = message.get(number)?.[0];
  return Buffer.from(value === undefined || typeof value === 'bigint' ? [] : value);
};

const hex = (message: Fields, number: number): string => bytesOf(message, number).toString('hex');
const textOf = (message: Fields, number: number): string =>
  bytesOf(message, number).toString('utf8');

const numberOf = (message: Fields, number: number): number =>
  Number(message.get(number)?.[0] ?? 0n);

const doubleOf = (bits: bigint): number => {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
};

/** A data point has its value as a double or as an integer. */
const pointValue = (point: Fields): number => {
  const [double] = point.get(4) ?? [];
  return typeof double === 'bigint' ? doubleOf(double) : numberOf(point, 6);
};

const attributesOf = (message: Fields, number: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    messages(message, number).map((pair) => [textOf(pair, 1), anyValue(messages(pair, 2)[0])]),
  );

const anyValue = (value: Fields = noFields): unknown => {
  if (value.has(1)) return textOf(value, 1);
  if (value.has(2)) return numberOf(value, 2) === 1;
  if (value.has(3)) return numberOf(value, 3);
  const [double] = value.get(4) ?? [];
  return typeof double === 'bigint' ? doubleOf(double) : undefined;
};
