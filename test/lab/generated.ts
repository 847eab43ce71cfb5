/**
 * Compares kube-apiserver and AuthGraph on generated requests. Prints every difference.
 *
 *    node test/lab/generated.ts [COUNT] [SEED]
 *
 * Run `test/lab/real/build` first; etcd has to be on the path.
 */
import { isDeepStrictEqual } from 'node:util';
import { type BothServers, bothDomain as domain, startBoth } from './both-servers.ts';
import type { LabCredentials } from './credentials.ts';
import {
  type LabAnswer,
  type LabRequest,
  normalized,
  requestBytes,
  requestParts,
  setupSteps,
  shownAnswer,
} from './exchange.ts';
import { generatedRequests } from './generator.ts';
import { Http2Clients } from './http2-exchange.ts';
import type { LabEnvironment } from './lab-environment.ts';
import { type LabServer, untilReady } from './lab-server.ts';

export interface Difference {
  readonly protocol: Protocol;
  readonly request: LabRequest;
  readonly upstream: unknown;
  readonly ours: unknown;
}

export interface GeneratedRun {
  readonly count: number;
  /** The number of responses of kube-apiserver by status. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly differences: readonly Difference[];
}

/** Sends each request to both servers, over HTTP/1.1 and HTTP/2, and returns the differences. */
export const runGenerated = async (options: {
  readonly both: BothServers;
  readonly count: number;
  readonly seed: number;
}): Promise<GeneratedRun> => {
  const { credentials, environment } = options.both;
  const upstreamServer = await prepared(options.both.upstream, credentials, environment);
  const oursServer = await prepared(options.both.ours, credentials, environment);
  const differences: Difference[] = [];
  const statuses = new Map<string, number>();
  for (const request of generatedRequests(options.count, options.seed)) {
    for (const protocol of protocols) {
      const [upstream, ours] = await Promise.all([
        upstreamServer.ask(request, protocol),
        oursServer.ask(request, protocol),
      ]);
      const status = String(upstream.status ?? 'none');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (!isDeepStrictEqual(upstream, ours) && !isExpectedDifference(request, upstream, ours)) {
        differences.push({ protocol, request, upstream, ours });
      }
    }
  }
  upstreamServer.close();
  oursServer.close();
  return { count: options.count, statuses, differences };
};

const protocols = ['http/1.1', 'h2'] as const;
type Protocol = (typeof protocols)[number];

interface Compared {
  readonly status?: number | undefined;
}

interface ComparedServer {
  ask(request: LabRequest, protocol: Protocol): Promise<Compared>;
  close(): void;
}

/** Sets up the objects of the lab in a server and returns functions to send requests to it. */
const prepared = async (
  server: LabServer,
  { certificates }: LabCredentials,
  environment: LabEnvironment,
): Promise<ComparedServer> => {
  const tokens = new Map(environment.tokens);
  const http2 = new Http2Clients({ port: server.port, authorityPem: environment.authorityPem });
  const certificateOf = ({ cert }: LabRequest) =>
    cert === undefined ? undefined : certificates.get(cert);
  const ask = async (request: LabRequest): Promise<LabAnswer & { readonly text: string }> => {
    const bytes = requestBytes(request, domain, tokens);
    const answer = await server.ask(bytes, certificateOf(request));
    return { ...shownAnswer(request.id, answer), text: answer.body };
  };
  for (const [method, path, body, name] of setupSteps(domain)) {
    const step = { id: path, method, path, headers: [], body: JSON.stringify(body), cert: 'admin' };
    const { status, text } = await ask(step);
    if ((status ?? 0) >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    if (name !== undefined) tokens.set(name, JSON.parse(text).status.token);
  }
  const last = {
    id: 'last',
    method: 'POST',
    path: '/apis/authentication.@DOMAIN@/v1/tokenreviews',
    headers: ['Authorization: Bearer static-one'],
    body: '{"apiVersion":"authentication.@DOMAIN@/v1","kind":"TokenReview","spec":{"token":"x"}}',
  };
  await untilReady(async () => {
    const { status } = await ask(last);
    return { status: status === 201 ? 200 : status };
  });
  // Secrets and service accounts are read from a cache.
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const askHttp2 = async (request: LabRequest) => {
    const parts = requestParts(request, domain, tokens);
    const scheme = usesHttpScheme(request) ? 'http' : 'https';
    const answer = await http2.ask({ ...parts, scheme }, certificateOf(request));
    return { ...shownAnswer(request.id, answer), isAskedToGo: answer.isAskedToGo };
  };
  return {
    close: () => http2.close(),
    async ask(request, protocol) {
      const answer = protocol === 'h2' ? await askHttp2(request) : shown(await ask(request));
      const { status } = answer;
      return describesServer(request.path) ? { status } : { ...normalized(answer), status };
    },
  };
};

const shown = ({ text, ...answer }: LabAnswer & { readonly text: string }): LabAnswer => answer;

/** Some requests over TLS have the scheme http. */
const usesHttpScheme = ({ id }: LabRequest): boolean => /7$/.test(id);

const settleMs = 3_000;

/**
 * Differences that are expected: AuthGraph accepts only the canonical encoding of a signature, so
 * the reason of a rejection differs (see docs/differences.md). With several extra keys,
 * kube-apiserver rejects a random one first.
 */
const isExpectedDifference = (
  { headers, body = '' }: LabRequest,
  upstreamServer: Compared,
  oursServer: Compared,
): boolean => {
  if (upstreamServer.status !== oursServer.status) return false;
  if (body.includes('{truncsig}'))
    return isRefusedReview(upstreamServer) && isRefusedReview(oursServer);
  const extras = headers.filter((line) => line.startsWith('Impersonate-Extra-'));
  return extras.length > 1 && oursServer.status === 403;
};

const isRefusedReview = (answer: Compared): boolean => {
  const text = JSON.stringify(answer);
  return answer.status === 201 && !/authenticated\\*":\s*true/.test(text);
};

/** True for paths that describe the server itself; only their status is compared. */
const describesServer = (path: string): boolean =>
  /^\/+(?:$|version|metrics|healthz|readyz|livez|apis?\/?$|api\/v1\/?$|openid)/.test(path);

if (import.meta.main) {
  const [count = '2000', seed = '1'] = process.argv.slice(2);
  const both = await startBoth();
  const { differences, statuses } = await runGenerated({
    both,
    count: Number(count),
    seed: Number(seed),
  }).finally(both.close);
  for (const difference of differences) process.stdout.write(`${JSON.stringify(difference)}\n`);
  const counts = [...statuses].map(([status, times]) => `${status}: ${times}`).join(', ');
  process.stderr.write(`${differences.length} of ${count} differ (${counts})\n`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}
