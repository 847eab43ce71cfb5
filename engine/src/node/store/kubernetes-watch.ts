/**
 * Watches a resource with a sequence of short watches: one that the server ends normally proves
 * that no event before its end was missed. A long watch would prove that only once a minute, and a
 * dead connection would look like a quiet one.
 */
import { readJsonMap } from '../../formats/json-as-maps.ts';
import type { JsonObject } from '../../model/json.ts';
import { type StoredObject, StoreError, type StoreEvent } from '../../ports/store.ts';
import { stringAt } from '../../resources/object-fields.ts';
import type { NodeHttpPeer } from '../http-peer.ts';
import { storeErrorOfStatus } from './kubernetes-status.ts';
import { apiCallTimeoutMs, maxStoreResponseBytes, shortWatchMs } from './limits.ts';

export interface KubernetesWatch {
  readonly peer: NodeHttpPeer;
  /** Path of the collection. */
  readonly path: string;
  readonly after: string;
  readonly signal: AbortSignal;
  readonly objectOf: (object: JsonObject) => StoredObject;
}

/** Emits the events after a revision until the signal aborts. */
export async function* watchKubernetes(watch: KubernetesWatch): AsyncGenerator<StoreEvent> {
  const { after, signal } = watch;
  let revision = after;
  while (!signal.aborted) {
    for await (const event of shortWatch(watch, revision)) {
      if (signal.aborted) return;
      revision = event.kind === 'bookmark' ? event.revision : event.stored.revision;
      yield event;
    }
    if (signal.aborted) return;
    yield { kind: 'bookmark', revision };
  }
}

/** Emits the events of one watch until the server ends it normally or the signal aborts. */
async function* shortWatch(
  { peer, path, signal, objectOf }: KubernetesWatch,
  revision: string,
): AsyncGenerator<StoreEvent> {
  const deadline = AbortSignal.timeout(shortWatchMs + apiCallTimeoutMs);
  const query = new URLSearchParams({
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: revision,
    timeoutSeconds: String(shortWatchMs / 1000),
  });
  try {
    const { status, body } = await peer.stream({
      path: `${path}?${query}`,
      headers: [{ name: 'Accept', value: 'application/json' }],
      signal: AbortSignal.any([signal, deadline]),
    });
    if (status !== 200) throw storeErrorOfStatus(status, readJsonMap(await firstLine(body)));
    for await (const line of linesOf(body)) yield eventOf(line, objectOf);
  } catch (cause) {
    if (signal.aborted) return;
    if (cause instanceof StoreError) throw cause;
    const reason = cause instanceof Error ? cause.message : 'no connection';
    throw new StoreError('unavailable', `the cluster ended the watch: ${reason}`);
  }
}

const firstLine = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  for await (const line of linesOf(body)) return line;
  return '';
};

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    let rest = Buffer.from(chunk);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      pieces.push(rest.subarray(0, end));
      yield Buffer.concat(pieces).toString();
      pieces = [];
      length = 0;
      rest = rest.subarray(end + 1);
    }
    if (rest.length === 0) continue;
    pieces.push(rest);
    length += rest.length;
    if (length > maxStoreResponseBytes)
      throw new StoreError('unavailable', 'watch event is too large');
  }
  if (length > 0) yield Buffer.concat(pieces).toString();
}

const eventOf = (line: string, objectOf: (object: JsonObject) => StoredObject): StoreEvent => {
  const event = readJsonMap(line);
  const object = event?.get('object');
  if (!(object instanceof Map)) throw new StoreError('unavailable', 'malformed watch event');
  switch (event?.get('type')) {
    case 'ADDED':
      return { kind: 'added', stored: objectOf(object) };
    case 'MODIFIED':
      return { kind: 'modified', stored: objectOf(object) };
    case 'DELETED':
      return { kind: 'deleted', stored: objectOf(object) };
    case 'BOOKMARK':
      return { kind: 'bookmark', revision: stringAt(object, 'metadata', 'resourceVersion') };
    default: {
      const code = object.get('code');
      throw storeErrorOfStatus(typeof code === 'number' ? code : 500, object);
    }
  }
};
