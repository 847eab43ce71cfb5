/** A store behind the paths of the API, as a cluster would serve it: for the store that reads clusters. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readJsonMap, writeJson } from '../../engine/src/formats/json-as-maps.ts';
import type { Json, JsonObject } from '../../engine/src/model/json.ts';
import {
  type ObjectKey,
  type Preconditions,
  type Store,
  StoreError,
} from '../../engine/src/ports/store.ts';
import { statusObject } from '../../engine/src/server/wire/status.ts';
import { deleteInCluster, putInCluster } from './cluster-rules.ts';
import { listenOnLoopback } from './loopback-server.ts';

export interface ServedStore {
  readonly origin: string;
  /** Makes further requests fail: with `503`, or without a response. */
  fail(how: number | 'hang' | undefined): void;
  /** Request lines. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

const codes = {
  exists: 409,
  missing: 404,
  conflict: 409,
  gone: 410,
  refused: 403,
  unavailable: 503,
} as const;

/** Serves a store on a free loopback port, without TLS. */
export const serveStore = async (store: Store): Promise<ServedStore> => {
  let failing: number | 'hang' | undefined;
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (failing === 'hang') return;
    if (failing !== undefined) return sendStatus(response, failing, '', 'failing');
    answer(store, request, response).catch((cause) => {
      if (!(cause instanceof StoreError)) throw cause;
      if (cause.apiError !== undefined)
        return sendObject(response, cause.apiError.code, statusObject(cause.apiError));
      const reason = cause.problem === 'exists' ? 'AlreadyExists' : 'Other';
      sendStatus(response, codes[cause.problem], reason, cause.message);
    });
  });
  const { port, close } = await listenOnLoopback(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    fail(how) {
      failing = how;
    },
    seen,
    close,
  };
};

const answer = async (
  store: Store,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const url = new URL(request.url ?? '', 'http://x');
  const [, namespace = '', resource = '', name = ''] =
    /^\/(?:api\/v1|apis\/[^/]+\/v1)(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?$/.exec(
      url.pathname,
    ) ?? [];
  const key: ObjectKey = {
    resource,
    namespace: decodeURIComponent(namespace),
    name: decodeURIComponent(name),
  };
  const body = await bodyOf(request);
  switch (request.method) {
    case 'GET':
      if (url.searchParams.get('watch') === 'true') return watch(store, key, url, response);
      if (name === '') return list(store, key, url, response);
      return sendFound(response, (await store.get(key))?.object);
    case 'POST': {
      const created = { ...key, name: String(metadataOf(body).get('name')) };
      return sendObject(response, 201, (await store.create(created, body)).object);
    }
    case 'PUT': {
      const only = preconditionsOf(metadataOf(body));
      return sendObject(response, 200, await putInCluster(store, key, { object: body, only }));
    }
    default: {
      const { kind, object } = await deleteInCluster(store, key, body);
      if (kind === 'gone') return sendObject(response, 200, success);
      return sendObject(response, kind === 'accepted' ? 202 : 200, object);
    }
  }
};

const success = new Map([
  ['kind', 'Status'],
  ['status', 'Success'],
]);

const list = async (
  store: Store,
  { resource, namespace }: ObjectKey,
  url: URL,
  response: ServerResponse,
): Promise<void> => {
  const { objects, revision } = await store.list(resource, namespace === '' ? {} : { namespace });
  const from = Number(url.searchParams.get('continue') ?? 0);
  const to = from + Number(url.searchParams.get('limit'));
  const metadata = new Map<string, Json>([['resourceVersion', revision]]);
  if (to < objects.length) metadata.set('continue', String(to));
  // Items of a list do not say what they are.
  const items = objects
    .slice(from, to)
    .map(
      ({ object }) =>
        new Map([...object].filter(([member]) => member !== 'kind' && member !== 'apiVersion')),
    );
  sendObject(
    response,
    200,
    new Map<string, Json>([
      ['kind', 'List'],
      ['metadata', metadata],
      ['items', items],
    ]),
  );
};

const watch = async (
  store: Store,
  { resource }: ObjectKey,
  url: URL,
  response: ServerResponse,
): Promise<void> => {
  const signal = AbortSignal.timeout(1000 * Number(url.searchParams.get('timeoutSeconds')));
  const types = { added: 'ADDED', modified: 'MODIFIED', deleted: 'DELETED' } as const;
  const line = (type: string, object: Json): void => {
    response.write(
      `${writeJson(
        new Map<string, Json>([
          ['type', type],
          ['object', object],
        ]),
      )}\n`,
    );
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  try {
    for await (const event of store.watch(
      resource,
      url.searchParams.get('resourceVersion') ?? '',
      signal,
    )) {
      if (event.kind === 'bookmark')
        line('BOOKMARK', new Map([['metadata', new Map([['resourceVersion', event.revision]])]]));
      else line(types[event.kind], event.stored.object);
    }
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause;
    line(
      'ERROR',
      new Map<string, Json>([
        ['kind', 'Status'],
        ['code', codes[cause.problem]],
        ['message', cause.message],
      ]),
    );
  }
  response.end();
};

const bodyOf = async (request: IncomingMessage): Promise<JsonObject> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return readJsonMap(Buffer.concat(chunks).toString()) ?? new Map();
};

const metadataOf = (object: JsonObject): JsonObject => {
  const metadata = object.get('metadata');
  return metadata instanceof Map ? metadata : new Map();
};

const preconditionsOf = (fields: JsonObject): Preconditions => {
  const revision = fields.get('resourceVersion');
  const uid = fields.get('uid');
  return {
    ...(typeof revision === 'string' ? { revision } : {}),
    ...(typeof uid === 'string' ? { uid } : {}),
  };
};

const sendFound = (response: ServerResponse, object: JsonObject | undefined): void =>
  object === undefined
    ? sendStatus(response, 404, 'NotFound', 'not found')
    : sendObject(response, 200, object);

const sendStatus = (
  response: ServerResponse,
  code: number,
  reason: string,
  message: string,
): void =>
  sendObject(
    response,
    code,
    new Map<string, Json>([
      ['kind', 'Status'],
      ['reason', reason],
      ['message', message],
      ['code', code],
    ]),
  );

const sendObject = (response: ServerResponse, status: number, object: JsonObject): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(writeJson(object));
};
