/**
 * Watches: one JSON line per change after a revision. Selectors apply: an object that starts to
 * match is ADDED, one that no longer matches is DELETED.
 */

import type { Place } from '../../fairness/fair-places.ts';
import { formNotAcceptable, overloaded } from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { type ObjectKey, StoreError, type StoreEvent } from '../../ports/store.ts';
import { stringAt, withMember } from '../../resources/object-fields.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ResponseStream } from '../http/handler-response.ts';
import { listLimits, requestLimits, watchLimits } from '../limits.ts';
import { outputFormat } from '../wire/media-type.ts';
import { statusObject } from '../wire/status.ts';
import { writeJson } from '../wire/write-json.ts';
import type { ApiContext } from './api-context.ts';
import { type ListOptions, listOptions } from './list-options.ts';
import { longTurn } from './long-turns.ts';
import { expired } from './object-errors.ts';
import { formOf, includeOf, requireAcceptable } from './object-response.ts';
import { revisionProblem } from './read.ts';
import { partial, shownObject } from './shown-object.ts';
import { throwStatus, withStatusErrors } from './status-error.ts';
import { tableOf } from './table.ts';
import type { ObjectTarget } from './target.ts';

/** YAML streams are not supported, because clients could not split them. */
const streamTypes = [
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
];

/** Handles GET with `watch=1`, and the deprecated watch paths. */
export const watchObjects = withStatusErrors(async (exchange, target, context) => {
  requireAcceptable(exchange, 'list');
  const selection = listOptions(exchange.target, target.rules);
  const problem = revisionProblem(selection.resourceVersion);
  if (problem !== undefined) throwStatus({ code: 500, reason: '', message: problem });
  if (outputFormat(firstHeader(exchange.headers, 'accept'), 'stored')?.format === 'yaml') {
    throwStatus(formNotAcceptable(streamTypes));
  }
  const displaced = new AbortController();
  const slot = context.watches.open(context.user, () => displaced.abort());
  if (slot === undefined) return throwStatus(overloaded(requestLimits.retryAfterSeconds));
  const options = target.name === '' ? selection : withName(selection, target.name);
  const collection = { ...target, name: '' };
  const format = objectFormatter(exchange, collection, context);
  return {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: '',
    stream: streamOf({
      target: collection,
      options,
      context,
      format,
      slot,
      displaced: displaced.signal,
    }),
  };
});

/** Adds the object name in the path to the options. */
const withName = (options: ListOptions, name: string): ListOptions => ({
  ...options,
  name,
  isComplete: false,
  matches: (object) => options.matches(object) && stringAt(object, 'metadata', 'name') === name,
});

type FormatObject = (object: JsonObject) => JsonObject;

const objectFormatter = (
  exchange: Exchange,
  target: ObjectTarget,
  { clock }: ApiContext,
): FormatObject => {
  const { form, version } = formOf(exchange);
  let isFirst = true;
  return (object) => {
    if (form === undefined) return shownObject(object, target);
    if (form !== 'Table') return partial(shownObject(object, target), version);
    const columnOptions = isFirst ? {} : { omitsColumns: true as const };
    isFirst = false;
    const meta = { revision: stringAt(object, 'metadata', 'resourceVersion') };
    const include = includeOf(exchange);
    return tableOf([object], target, {
      now: clock.now(),
      meta,
      include,
      version,
      ...columnOptions,
    });
  };
};

interface Watch {
  readonly target: ObjectTarget;
  readonly options: ListOptions;
  readonly context: ApiContext;
  readonly format: FormatObject;
  readonly slot: Place;
  /** Aborted when the slot goes to another user; the client lists and watches again. */
  readonly displaced: AbortSignal;
}

const streamOf = (watch: Watch): ResponseStream =>
  async function* stream(signal) {
    const ended = new AbortController();
    const cancel = watch.context.clock.after(lifetimeMs(watch), () => ended.abort());
    try {
      yield* lines(watch, AbortSignal.any([signal, ended.signal, watch.displaced]));
    } finally {
      cancel();
      ended.abort();
      watch.slot.release();
    }
  };

const lifetimeMs = ({ options, context }: Watch): number =>
  options.timeoutSeconds > 0
    ? Math.min(options.timeoutSeconds * 1000, watchLimits.maxMs)
    : watchLimits.minMs * (1 + context.randomness.fraction());

const line = (type: string, object: JsonObject): string =>
  writeJson(
    new Map<string, Json>([
      ['type', type],
      ['object', object],
    ]),
  );

async function* lines(watch: Watch, signal: AbortSignal): AsyncGenerator<string> {
  const { target, options, context, format } = watch;
  const lastMatches = new Map<string, boolean>();
  try {
    let revision = options.resourceVersion;
    const isFromStart = revision === '' || revision === '0';
    if (options.initialEvents === true || (isFromStart && options.initialEvents !== false)) {
      const { resource } = target.rules.row;
      const { namespace } = target;
      const list = await context.store.list(resource, namespace === '' ? {} : { namespace });
      revision = list.revision;
      let events = '';
      let count = 0;
      for (const { key, object } of list.objects) {
        const matches = options.matches(object);
        lastMatches.set(placeOf(key), matches);
        if (!matches) continue;
        events += line('ADDED', format(object));
        count += 1;
        if (count % listLimits.eventsOfTurn > 0) continue;
        yield events;
        events = '';
        // Otherwise many watches that start together would block the event loop for seconds.
        await longTurn();
        if (signal.aborted) return;
      }
      if (events !== '') yield events;
      if (options.initialEvents === true && options.bookmarks) {
        yield bookmark(target, revision, { isEndOfStart: true });
      }
    } else if (isFromStart) {
      revision = (await context.store.list(target.rules.row.resource)).revision;
    }
    // The first flush sends the headers, so that the client sees an open watch before any event.
    yield '';
    yield* changes(watch, { after: revision, lastMatches, signal });
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof StoreError)) throw error;
    yield line('ERROR', statusObject(watchError(error, options)));
  }
}

const watchError = (error: StoreError, { resourceVersion }: ListOptions) =>
  error.problem === 'gone'
    ? expired(`too old resource version: ${resourceVersion} (${resourceVersion})`)
    : overloaded(requestLimits.retryAfterSeconds);

const placeOf = ({ namespace, name }: ObjectKey): string => `${namespace}/${name}`;

interface ChangeOptions {
  readonly after: string;
  readonly lastMatches: Map<string, boolean>;
  readonly signal: AbortSignal;
}

async function* changes(
  watch: Watch,
  { after, lastMatches, signal }: ChangeOptions,
): AsyncGenerator<string> {
  const { target, options, context, format } = watch;
  let lastBookmarkAt = context.clock.monotonic();
  for await (const event of context.store.watch(target.rules.row.resource, after, signal)) {
    if (signal.aborted) return;
    if (event.kind === 'bookmark') {
      const isDue = context.clock.monotonic() - lastBookmarkAt >= watchLimits.bookmarkMs;
      if (!options.bookmarks || !isDue) continue;
      lastBookmarkAt = context.clock.monotonic();
      yield bookmark(target, event.revision);
      continue;
    }
    const type = typeFor(event, watch, lastMatches);
    if (type !== undefined) yield line(type, format(event.stored.object));
  }
}

/** Returns the type of an event for this client; `undefined` if it sees none. */
const typeFor = (
  event: Exclude<StoreEvent, { kind: 'bookmark' }>,
  { target, options }: Watch,
  lastMatches: Map<string, boolean>,
): 'ADDED' | 'MODIFIED' | 'DELETED' | undefined => {
  const { key, object } = event.stored;
  if (target.namespace !== '' && key.namespace !== target.namespace) return undefined;
  const place = placeOf(key);
  const matched = lastMatches.get(place);
  const matches = options.matches(object);
  if (event.kind === 'deleted') {
    lastMatches.delete(place);
    return matched === false || (matched === undefined && !matches) ? undefined : 'DELETED';
  }
  if (options.isComplete) return event.kind === 'added' ? 'ADDED' : 'MODIFIED';
  lastMatches.set(place, matches);
  if (event.kind === 'added') return matches ? 'ADDED' : undefined;
  // It is unknown whether an object from before the watch matched. If it does not match now, it is
  // reported as deleted, which has no effect on clients that never had it.
  if (matches) return matched === false ? 'ADDED' : 'MODIFIED';
  return matched === false || options.name !== undefined ? undefined : 'DELETED';
};

const bookmark = (
  target: ObjectTarget,
  revision: string,
  { isEndOfStart = false }: { readonly isEndOfStart?: boolean } = {},
): string => {
  const object = new Map<string, Json>([
    ['kind', target.rules.row.kind],
    ['apiVersion', target.apiVersion],
  ]);
  const revised = withMember(object, ['metadata', 'resourceVersion'], revision);
  const marked = isEndOfStart
    ? withMember(revised, ['metadata', 'annotations', 'k8s.io/initial-events-end'], 'true')
    : revised;
  return line('BOOKMARK', shownObject(marked, target));
};
