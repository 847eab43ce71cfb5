/**
 * Answers cases about the whole server: its real flags, a listener with TLS, objects in a store, and
 * requests over the wire.
 */
import { connect as connectHttp2 } from 'node:http2';
import { nodeIo } from '../../../engine/src/cli/node-io.ts';
import { servedConfiguration } from '../../../engine/src/cli/served-configuration.ts';
import type { Json, JsonObject } from '../../../engine/src/model/json.ts';
import { nodePorts } from '../../../engine/src/node/ports.ts';
import { memoryStore } from '../../../engine/src/node/store/memory.ts';
import type { Log } from '../../../engine/src/ports/log.ts';
import type { Ports } from '../../../engine/src/ports/ports.ts';
import type { Store } from '../../../engine/src/ports/store.ts';
import { resourceOfKind } from '../../../engine/src/rbac/fixed-view.ts';
import { type ObjectWorld, openWorld } from '../../../engine/src/server/object-world.ts';
import { readServeOptions, type ServeOptions } from '../../../engine/src/server/options.ts';
import { type RunningServer, startServer } from '../../../engine/src/server/server.ts';
import { startServing } from '../../../engine/src/server/serving.ts';
import { rawExchange } from '../raw-exchange.ts';
import type { AccountObjects } from './account-objects.ts';
import { auditOf, type LogFields } from './audit-events.ts';
import { caseFolder, type FlagsConfig } from './case-folder.ts';
import { type Grant, grantObjects } from './impersonation.ts';
import { objectOf } from './json-objects.ts';
import type { CaseLine } from './module-cases.ts';

export interface StackRequest {
  readonly method: string;
  readonly target: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string;
  readonly clientCert?: { readonly cert: string; readonly key: string };
  readonly http2?: boolean;
  /** `{{PAD}}` in the body becomes so many letters. */
  readonly pad?: number;
}

interface StackConfig extends FlagsConfig {
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** The release of the cases has v1beta1 no more, but their server serves it when asked. */
  readonly enableV1Beta1?: boolean;
  readonly grants?: readonly Grant[];
  readonly objects?: AccountObjects;
}

export type StackCase = CaseLine<StackConfig, { readonly requests: readonly StackRequest[] }> & {
  readonly clock?: string;
};

/** What is wrong with the start, or an answer for each request. */
export const answerStack = async ({ config, input, clock }: StackCase): Promise<object> => {
  const folder = caseFolder(config);
  const inner = nodePorts();
  const now = Date.parse(clock ?? '2026-11-21T12:00:00Z');
  const ports = { ...inner, clock: { ...inner.clock, now: () => now } };
  const decisions: LogFields[] = [];
  const world = openWorld({
    store: await storeOf(config, ports),
    domain: 'k8s.io',
    ports,
    maxStalenessMs: 60_000,
    keeper: 'here',
  });
  try {
    await world.ready(AbortSignal.timeout(10_000));
    const started = await start(config, folder.args, { ports, world, decisions });
    if (started.kind === 'refused') {
      const { stage, messages } = started;
      return {
        [stage]: typeof messages === 'string' ? folder.scrub(messages) : messages.map(folder.scrub),
      };
    }
    const responses: object[] = [];
    for (const request of input.requests) {
      decisions.length = 0;
      const answer = await ask(started.server, request);
      responses.push({ ...answer, audit: decisions.map((fields) => auditOf(fields)) });
    }
    await started.close();
    return { responses };
  } finally {
    await world.close();
    await inner.http.close();
    folder.remove();
  }
};

const storeOf = async ({ objects, grants }: StackConfig, ports: Ports): Promise<Store> => {
  const store = memoryStore(ports);
  const put = async (resource: string, object: JsonObject): Promise<void> => {
    const metadata = object.get('metadata');
    const text = (name: string): string =>
      metadata instanceof Map
        ? String((metadata as ReadonlyMap<string, Json>).get(name) ?? '')
        : '';
    await store.create({ resource, namespace: text('namespace'), name: text('name') }, object);
  };
  const rows: readonly (readonly [string, readonly object[] | null | undefined])[] = [
    ['serviceaccounts', objects?.serviceAccounts],
    ['secrets', objects?.secrets],
    ['pods', objects?.pods],
    ['nodes', objects?.nodes],
  ];
  for (const [resource, all] of rows) {
    for (const object of all ?? []) await put(resource, objectOf(object));
  }
  for (const object of grantObjects(grants)) {
    await put(resourceOfKind(String(object.get('kind'))) ?? '', object);
  }
  return store;
};

interface Started {
  readonly kind: 'started';
  readonly server: RunningServer;
  close(): Promise<void>;
}

interface Refused {
  readonly kind: 'refused';
  readonly stage: 'flagError' | 'validationErrors' | 'configError' | 'newError';
  readonly messages: string | readonly string[];
}

const start = async (
  { featureGates = {}, enableV1Beta1 = false }: StackConfig,
  args: readonly string[],
  around: {
    readonly ports: Ports;
    readonly world: ObjectWorld;
    readonly decisions: LogFields[];
  },
): Promise<Started | Refused> => {
  const { ports, world, decisions } = around;
  const gates = Object.entries(featureGates).map(([name, on]) => `--feature-gates=${name}=${on}`);
  const reading = readServeOptions([
    ...args,
    ...gates,
    '--target-version=1.36',
    '--api-domain=k8s.io',
  ]);
  if (reading.kind !== 'options') return refusedFlags(reading);
  const options: ServeOptions = {
    ...reading.options,
    betaReviews: enableV1Beta1,
    bindAddress: '127.0.0.1',
    securePort: 0,
    decisionLogGroups: true,
    decisionLogExtra: true,
  };
  const configuration = await servedConfiguration(options, nodeIo());
  if (configuration.kind === 'problem') {
    return { kind: 'refused', stage: 'newError', messages: configuration.problems[0].message };
  }
  const serving = await startServing({
    configuration: configuration.source,
    settings: configuration.settings,
    ports,
    link: { mode: 'product', jwksRefetch: 'throttled', apiAudiences: options.apiAudiences },
    modules: { settings: options.modules, objects: world.view, store: world.store },
    report: () => {},
  });
  if (serving.kind !== 'serving') {
    const messages = serving.kind === 'unusable' ? serving.error : serving.kind;
    return { kind: 'refused', stage: 'configError', messages };
  }
  const { holder, authorities, modules } = serving.serving;
  const server = await startServer({
    options,
    holder,
    ports,
    world,
    authorities,
    proxyHeaders: modules?.proxyHeaders,
    decisionLog: collecting(decisions),
  });
  return {
    kind: 'started',
    server,
    async close() {
      await server.close(0);
      await serving.serving.close();
    },
  };
};

const refusedFlags = (
  reading: Exclude<ReturnType<typeof readServeOptions>, { kind: 'options' }>,
): Refused => {
  if (reading.kind === 'help') return { kind: 'refused', stage: 'flagError', messages: 'help' };
  const messages = reading.problems.map(({ message }) => message);
  return reading.options === undefined
    ? { kind: 'refused', stage: 'flagError', messages: messages[0] ?? '' }
    : { kind: 'refused', stage: 'validationErrors', messages };
};

const collecting = (into: LogFields[]): Log => ({
  event(_level, _message, fields) {
    if (fields !== undefined) into.push(fields);
  },
});

interface WireAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

const ask = async (server: RunningServer, request: StackRequest): Promise<object> => {
  const { status, headers, body } = await (request.http2 === true
    ? askHttp2(server, request)
    : askHttp1(server, request));
  return {
    ...shownBody(body),
    headers: headers
      .filter(([name]) => !left.has(name))
      .toSorted(([one], [other]) => (one < other ? -1 : Number(one > other))),
    ...(request.http2 === true ? { protocol: 'HTTP/2.0' } : {}),
    status,
  };
};

const left = new Set(['Audit-Id', 'Connection', 'Content-Length', 'Date']);

/** Times and ports differ from run to run. */
const shownBody = (body: Buffer): object => {
  if (body.includes(0)) return { bodyBytes: body.length };
  return {
    body: body
      .toString('utf8')
      .replaceAll(/(creationTimestamp"?: ?)"[0-9TZ:.-]+"/g, '$1"<now>"')
      .replaceAll(/"time":"[0-9TZ:.-]+"/g, '"time":"<now>"')
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT'),
  };
};

const bodyOf = ({ body = '', pad = 0 }: StackRequest): Buffer =>
  Buffer.from(body.replace('{{PAD}}', 'x'.repeat(pad)));

const userAgent = 'Go-http-client';

const askHttp1 = async (server: RunningServer, request: StackRequest): Promise<WireAnswer> => {
  const { method, target, headers = [], clientCert } = request;
  const body = bodyOf(request);
  const bodyless = ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method) && body.length === 0;
  const agent = headers.some(([name]) => name.toLowerCase() === 'user-agent')
    ? []
    : [`User-Agent: ${userAgent}/1.1`];
  const head = [
    `${method} ${target} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...agent,
    ...(bodyless ? [] : [`Content-Length: ${body.length}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  const answer = await rawExchange(
    {
      port: server.port,
      authorityPem: server.authorityPem ?? '',
      ...(clientCert === undefined ? {} : { tls: clientCert }),
    },
    Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]),
  );
  return {
    status: answer.status ?? 0,
    headers: [...answer.headers].flatMap(([name, values]) =>
      values.map((value) => [canonical(name), value] as const),
    ),
    body: Buffer.from(answer.raw.slice(answer.raw.indexOf('\r\n\r\n') + 4), 'latin1'),
  };
};

const askHttp2 = (server: RunningServer, request: StackRequest): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    const { method, target, headers = [], clientCert } = request;
    const session = connectHttp2(server.url, {
      ca: server.authorityPem ?? '',
      servername: 'localhost',
      ...clientCert,
    });
    session.on('error', reject);
    const fields: Record<string, string | string[]> = {
      'user-agent': `${userAgent}/2.0`,
      ':method': method,
      ':path': target,
    };
    for (const [name, value] of headers) {
      const before = fields[name.toLowerCase()];
      fields[name.toLowerCase()] = before === undefined ? value : [before, value].flat();
    }
    const body = bodyOf(request);
    const stream = session.request(fields, { endStream: body.length === 0 });
    const chunks: Buffer[] = [];
    let status = 0;
    let answered: readonly (readonly [string, string])[] = [];
    stream.on('response', (told) => {
      status = Number(told[':status']);
      answered = Object.entries(told)
        .filter(([name]) => !name.startsWith(':'))
        .flatMap(([name, value]) =>
          [value].flat().map((one) => [canonical(name), String(one)] as const),
        );
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', reject);
    stream.on('end', () => {
      session.close();
      resolve({ status, headers: answered, body: Buffer.concat(chunks) });
    });
    if (body.length > 0) stream.end(body);
  });

const canonical = (name: string): string =>
  name.replaceAll(
    /(^|-)([a-z])/g,
    (_, dash: string, letter: string) => dash + letter.toUpperCase(),
  );
