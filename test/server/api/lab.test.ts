/**
 * The recorded requests about stored objects, in their order, compared with kube-apiserver's
 * responses.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ObjectApi, objectApi } from '../../support/object-api.ts';

const folder = join(import.meta.dirname, '../../conformance/lab');

const lines = <T>(name: string): readonly T[] =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): T => JSON.parse(line));

interface LabRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body?: string;
  readonly cert?: string;
}

interface LabAnswer {
  readonly id: string;
  readonly status: number;
  readonly headers: Record<string, readonly string[]>;
  readonly body: unknown;
}

const expected = new Map(
  lines<LabAnswer>('structured.expected.jsonl').map((answer) => [answer.id, answer]),
);
// Authorization precedes the objects; another test covers it.
const requests = lines<LabRequest>('requests.jsonl').filter(
  ({ id, cert }) => id.startsWith('state-') && cert === 'admin',
);

const inDomain = (text: string, domain: string): string => text.replaceAll('@DOMAIN@', domain);

type SetupStep = readonly [method: string, path: string, body: unknown, token?: string];

const prepared = async (domain: string): Promise<ObjectApi> => {
  const api = await objectApi();
  const text = readFileSync(join(folder, 'setup.json'), 'utf8');
  const steps: readonly SetupStep[] = JSON.parse(inDomain(text, domain));
  for (const [method, path, body] of steps) {
    if (path.endsWith('/token')) continue;
    const { status, body: said } = await api.ask(method, path, { body });
    expect(status, `${method} ${path}: ${JSON.stringify(said)}`).toBeLessThan(300);
  }
  return api;
};

/** Replaces values of a run: identifiers, times, revisions and managed fields. */
const normal = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value === 'string') {
    return value
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
      .replaceAll('.platform.io', '.k8s.io');
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'resourceVersion' ? 'REVISION' : normal(member),
    ]),
  );
};

/** Removes fields that the recording omits from single objects but not from lists. */
const withoutStamps = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !('metadata' in value)) return value;
  const metadata = { ...(value.metadata as Record<string, unknown>) };
  delete metadata.managedFields;
  delete metadata.creationTimestamp;
  return { ...value, metadata };
};

test.each(['k8s.io', 'platform.io'])('responds as recorded, in the domain %s', async (domain) => {
  const api = await prepared(domain);
  let compared = 0;
  for (const request of requests) {
    const answer = await api.ask(request.method, inDomain(request.path, domain), {
      headers: request.headers.map((line) => inDomain(line, domain)),
      ...(request.body === undefined ? {} : { body: inDomain(request.body, domain) }),
    });
    const want = expected.get(request.id);
    if (want === undefined) continue;
    compared += 1;
    const got = { status: answer.status, body: withoutStamps(normal(answer.body)) };
    expect(got, request.id).toEqual({
      status: want.status,
      body: withoutStamps(normal(want.body)),
    });
    expect(answer.headers.get('content-type'), request.id).toBe(want.headers['content-type']?.[0]);
  }
  expect(compared).toBeGreaterThan(25);
});
