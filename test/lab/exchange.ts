/** Recorded requests, which are sent byte for byte, and their responses in a comparable form. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawAnswer } from '../support/raw-exchange.ts';

export interface LabRequest {
  readonly id: string;
  readonly method?: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body?: string;
  /** Name of the client certificate. */
  readonly cert?: string;
  readonly modes?: readonly string[];
}

export interface LabAnswer {
  readonly id: string;
  /** Set if there was no response: how the connection ended. */
  readonly tls?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly body?: unknown;
}

const folder = join(import.meta.dirname, '../conformance/lab');

/** Returns the rows of a table of the lab. */
export const labTable = <T>(name: string): readonly T[] =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): T => JSON.parse(line));

export const labRequests = (): ReadonlyMap<string, LabRequest> =>
  new Map(labTable<LabRequest>('requests.jsonl').map((row) => [row.id, row]));

export type SetupStep = readonly [method: string, path: string, body: unknown, token?: string];

/** Returns the API calls that set up a server before the requests. */
export const setupSteps = (domain: string): readonly SetupStep[] =>
  JSON.parse(readFileSync(join(folder, 'setup.json'), 'utf8').replaceAll('@DOMAIN@', domain));

/** A request, independent of the HTTP version. */
export interface RequestParts {
  readonly method: string;
  readonly path: string;
  /** Header lines `Name: value`, without those that frame the request. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Builds a request; names in `${…}` are replaced with tokens. */
export const requestParts = (
  request: Omit<LabRequest, 'id'>,
  domain: string,
  tokens: ReadonlyMap<string, string>,
): RequestParts => {
  const fill = (text: string): string =>
    text
      .replace(/\$\{([\w-]+)\}/g, (whole, name: string) => tokens.get(name) ?? whole)
      .replaceAll('@DOMAIN@', domain);
  const { method = 'GET' } = request;
  const headers = request.headers.map(fill);
  const body = Buffer.from(fill(request.body ?? ''));
  const hasType = headers.some((line) => line.toLowerCase().startsWith('content-type'));
  const type = body.length === 0 || hasType ? [] : ['Content-Type: application/json'];
  return { method, path: fill(request.path), headers: [...headers, ...type], body };
};

/** Returns the bytes of a request over HTTP/1.1. */
export const requestBytes = (
  request: Omit<LabRequest, 'id'>,
  domain: string,
  tokens: ReadonlyMap<string, string>,
): Uint8Array => {
  const { method, path, headers, body } = requestParts(request, domain, tokens);
  const hasLength = body.length > 0 || method === 'POST';
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...headers,
    ...(hasLength ? [`Content-Length: ${body.length}`] : []),
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
};

const comparedHeaders = new Set([
  'content-type',
  'www-authenticate',
  'cache-control',
  'x-content-type-options',
  'warning',
  'connection',
]);

/** Returns the part of a response that is compared. */
export const shownAnswer = (id: string, answer: RawAnswer): LabAnswer => {
  if (answer.status === undefined) return { id, tls: 'closed' };
  return {
    id,
    status: answer.status,
    headers: Object.fromEntries([...answer.headers].filter(([name]) => comparedHeaders.has(name))),
    body: bodyData(answer.body),
  };
};

const bodyData = (text: string): unknown => {
  try {
    return withoutTimes(JSON.parse(text));
  } catch {
    return text.slice(0, 400);
  }
};

const withoutTimes = (data: unknown): unknown => {
  if (typeof data !== 'object' || data === null || !('metadata' in data)) return data;
  const { creationTimestamp, managedFields, ...metadata } = data.metadata as Record<
    string,
    unknown
  >;
  return { ...data, metadata };
};

/**
 * Replaces what differs from run to run (identifiers, times, keys and ports) and the API domain.
 */
export const normalized = ({ tls, ...answer }: LabAnswer): object =>
  tls !== undefined
    ? { id: answer.id, tls: 'ended' }
    : JSON.parse(
        JSON.stringify(answer)
          .replaceAll(
            /authentication\.platform\.io\/(?=credential-id|pod-|node-|issued-)/g,
            'authentication.kubernetes.io/',
          )
          .replaceAll('platform.io', 'k8s.io')
          .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
          .replaceAll(/X509SHA256=[0-9a-f]{64}/g, 'X509SHA256')
          .replaceAll(/JTI=[\w-]+/g, 'JTI')
          .replaceAll(/"(resourceVersion|uid)":"[^"]*"/g, '"$1":"N"')
          .replaceAll(/resourceVersion: \\"\d+\\"/g, 'resourceVersion: N')
          .replaceAll(/"remainingItemCount":\d+/g, '"remainingItemCount":0')
          .replaceAll(/"<?\d+[smh]>?"/g, '"AGE"')
          .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]*=?/g, 'JWT')
          .replaceAll(/20\d\d-\d\d-\d\d [\d:.]+ \+0000 UTC( m=[+\d.]+)?/g, 'TIME')
          .replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
          .replaceAll(/(localhost|127\.0\.0\.1):\d+/g, '$1:PORT'),
      );
