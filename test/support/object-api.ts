/** The API of stored objects over a store in memory, called without a listener. */
import type { ApiError } from '../../engine/src/model/api-error.ts';
import { headerList } from '../../engine/src/model/header-list.ts';
import { newestRelease } from '../../engine/src/model/release.ts';
import type { UserInfo } from '../../engine/src/model/user-info.ts';
import { memoryStore } from '../../engine/src/node/store/memory.ts';
import type { Authorizer } from '../../engine/src/ports/authorizer.ts';
import type { Clock } from '../../engine/src/ports/clock.ts';
import type { Store } from '../../engine/src/ports/store.ts';
import type { GrantAttempt } from '../../engine/src/rbac/escalation.ts';
import { systemNamespaces } from '../../engine/src/resources/namespace.ts';
import { type FindList, listSnapshots } from '../../engine/src/server/api/list-snapshots.ts';
import { watchSlots } from '../../engine/src/server/api/watch-slots.ts';
import type { Exchange } from '../../engine/src/server/http/exchange.ts';
import type { HandlerResponse } from '../../engine/src/server/http/handler-response.ts';
import { requestInfo } from '../../engine/src/server/http/request-info.ts';
import { parseTarget } from '../../engine/src/server/http/target.ts';
import { endpointResponse } from '../../engine/src/server/requests/endpoint-response.ts';
import { type FakeClock, fakeClock } from './fake-ports.ts';

export interface Asked {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** The body, parsed if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers by path
  readonly body: any;
  readonly warnings: readonly string[];
  readonly answer: HandlerResponse;
}

export interface ObjectApi {
  readonly store: Store;
  readonly clock: FakeClock;
  ask(
    method: string,
    path: string,
    more?: {
      readonly headers?: readonly string[];
      readonly body?: unknown;
      readonly isCanceled?: boolean;
    },
  ): Promise<Asked>;
}

export interface ObjectApiOptions {
  readonly authorizer?: Authorizer;
  readonly grantProblem?: (attempt: GrantAttempt) => Promise<ApiError | undefined>;
  readonly store?: Store;
  readonly clock?: Clock;
  readonly findList?: FindList;
}

const admin: UserInfo = {
  username: 'admin',
  uid: '',
  groups: ['system:masters'],
  extra: new Map(),
};

/** Creates an object API with the initial namespaces. */
export const objectApi = async (options: ObjectApiOptions = {}): Promise<ObjectApi> => {
  const fake = fakeClock(Date.parse('2026-11-21T13:58:01Z'));
  const clock = options.clock ?? fake;
  const store = options.store ?? memoryStore({ clock });
  let uuids = 0;
  const objects = {
    store,
    clock,
    randomness: {
      fraction: () => 0.5,
      uuid() {
        uuids += 1;
        return `00000000-0000-4000-8000-${String(uuids).padStart(12, '0')}`;
      },
    },
    authorizer: options.authorizer ?? { authorize: () => ({ allowed: true, reason: '' }) },
    grantProblem: options.grantProblem ?? (async () => undefined),
    snapshots: listSnapshots(clock, Number.POSITIVE_INFINITY),
    findList: options.findList,
    watches: watchSlots(),
  };
  const ask: ObjectApi['ask'] = async (
    method,
    path,
    { headers = [], body, isCanceled = false } = {},
  ) => {
    const target = parseTarget(path);
    if (target === undefined) throw new Error(`no target: ${path}`);
    const bytes =
      body === undefined
        ? new Uint8Array()
        : body instanceof Uint8Array
          ? body
          : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
    const warnings: string[] = [];
    const raw = headers.flatMap((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
    const exchange: Exchange = {
      method,
      headers: headerList(raw),
      target,
      info: requestInfo(method, target),
      warnings,
      isCanceled: () => isCanceled,
      readBody: async (limit) =>
        bytes.length > limit ? { kind: 'tooLarge' } : { kind: 'bytes', bytes },
    };
    const answer = await endpointResponse(exchange, {
      user: admin,
      now: clock.now(),
      services: {
        apiAudiences: [],
        serverAddress: '127.0.0.1:6443',
        version: {
          release: newestRelease,
          productVersion: '0.0.0',
          nodeVersion: '26.0.0',
          platform: 'x/y',
        },
        healthChecks: () => [],
        metricsText: async () => ({ contentType: '', text: '' }),
        objects,
        betaReviews: false,
        webhook: undefined,
        tokenRequests: undefined,
        issuerDocuments: undefined,
      },
      storeFor: (own) => own,
      authenticate: async () => ({ kind: 'noOpinion' }),
      recordReview: () => {},
      recordAnnotations: () => {},
      recordIssued: () => {},
    });
    const text =
      typeof answer.body === 'string' ? answer.body : new TextDecoder().decode(answer.body);
    return {
      status: answer.status,
      headers: new Map(answer.headers.map(([name, value]) => [name.toLowerCase(), value])),
      body: text.startsWith('{') ? JSON.parse(text) : text,
      warnings,
      answer,
    };
  };
  for (const name of systemNamespaces) {
    if (options.store !== undefined) break;
    await ask('POST', '/api/v1/namespaces', {
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
    });
  }
  return { store, clock: fake, ask };
};
