/** GET requests for objects and collections. */
import { dnsLabelProblems, pathSegmentProblems } from '../../formats/api-names.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { byCodePoint } from '../../formats/string-order.ts';
import { type ApiError, badRequest } from '../../model/api-error.ts';
import type { ObjectList, StoredObject } from '../../ports/store.ts';
import { timeoutResponse } from '../http/requested-timeout.ts';
import { queryValue } from '../http/target.ts';
import { listLimits } from '../limits.ts';
import type { ApiContext } from './api-context.ts';
import { type Continuation, continueToken, readContinueToken } from './continue-token.ts';
import { type ListOptions, listOptions } from './list-options.ts';
import { longTurn } from './long-turns.ts';
import { expired, notFound } from './object-errors.ts';
import { listResponse, requireAcceptable, storedObjectResponse } from './object-response.ts';
import { checkKey, throwStatus, withStatusErrors } from './status-error.ts';
import type { ListMeta } from './table.ts';
import type { ObjectTarget } from './target.ts';

/** Handles GET of an object. */
export const getObject = withStatusErrors(async (exchange, target, context) => {
  requireAcceptable(exchange);
  checkKey(target);
  const { rules, namespace, name } = target;
  const requestedRevision = queryValue(exchange.target, 'resourceVersion');
  const problem = revisionProblem(requestedRevision);
  if (problem !== undefined) throwStatus({ code: 500, reason: '', message: problem });
  const { resource } = rules.row;
  const stored = await context.store.get({ resource, namespace, name });
  if (revisionNumber(requestedRevision) > revisionNumber(stored?.revision ?? '')) {
    const { revision } = await context.store.list(resource, namespace === '' ? {} : { namespace });
    if (revisionNumber(requestedRevision) > revisionNumber(revision)) {
      throwStatus(tooLargeRevision(requestedRevision, revision, 1));
    }
  }
  if (stored === undefined) return throwStatus(notFound(target, name));
  const now = context.clock.now();
  return storedObjectResponse(exchange, target, { status: 200, object: stored.object, now });
});

/** Handles GET of a collection. */
export const listObjects = withStatusErrors(async (exchange, target, context) => {
  requireAcceptable(exchange, 'list');
  const page = await listPage(target, listOptions(exchange.target, target.rules), context);
  const objects = page.objects.map(({ object }) => object);
  if (objects.length > listLimits.immediate) {
    await longTurn();
    if (exchange.isCanceled()) return timeoutResponse;
  }
  return listResponse(exchange, target, { objects, meta: page.meta, now: context.clock.now() });
});

/** Validates a revision, which is a number for every client, whichever store is used. */
export const revisionProblem = (revision: string): string | undefined => {
  if (revision === '' || /^\d{1,19}$/.test(revision)) return undefined;
  const why = /^\d+$/.test(revision) ? 'value out of range' : 'invalid syntax';
  return `resourceVersion: Invalid value: ${goQuote(revision)}: strconv.ParseUint: parsing ${goQuote(revision)}: ${why}`;
};

const checkRevision = (revision: string): void => {
  const problem = revisionProblem(revision);
  if (problem !== undefined) throwStatus(badRequest(`invalid resource version: ${problem}`));
};

/** The objects of one response. */
export interface Page {
  readonly objects: readonly StoredObject[];
  readonly meta: ListMeta;
}

/** Returns one page of a list, or the whole list without a limit. */
export const listPage = async (
  target: ObjectTarget,
  options: ListOptions,
  context: ApiContext,
): Promise<Page> => {
  const place = `${target.rules.row.resource}/${target.namespace}`;
  const continuation = options.continue === '' ? undefined : readContinue(options);
  if (continuation === undefined) checkRevision(options.resourceVersion);
  const resolved = { ...options, isOneName: isOneName(target, options) };
  const list = await listOf(target, { options: resolved, context, place, continuation });
  const within = listedNamespace(target, options);
  const placeOf = ({ key }: StoredObject): string =>
    target.rules.row.namespaced && within === '' ? `${key.namespace}/${key.name}` : key.name;
  const rest = list.objects.filter(
    (stored) =>
      (continuation === undefined || byCodePoint(placeOf(stored), continuation.start) >= 0) &&
      (within === '' || stored.key.namespace === within) &&
      (!resolved.isOneName || stored.key.name === options.name),
  );
  // Revision 0 accepts any state; kube-apiserver returns its whole cached list then.
  const usesCurrentState = options.resourceVersion === '0' && continuation?.revision !== '';
  const isUnpaged = options.limit === 0 || usesCurrentState;
  const { objects, scanned } = selectObjects(
    rest,
    options,
    isUnpaged ? rest.length : options.limit,
  );
  const last = objects.at(-1);
  if (isUnpaged || last === undefined || scanned === rest.length) {
    return { objects, meta: { revision: list.revision } };
  }
  context.snapshots.save(place, list);
  const remaining = rest.length - scanned;
  return {
    objects,
    meta: {
      revision: list.revision,
      continue: continueToken(list.revision, placeOf(last)),
      ...(options.isComplete ? { remaining } : {}),
    },
  };
};

/**
 * Returns the namespace to list; empty for all. As in kube-apiserver, a list over all namespaces
 * whose field selector requires one starts as a list of that namespace, and its continue token
 * contains names only. It continues as a list over all namespaces, which compares that name with
 * namespaces; later pages may repeat objects or be empty.
 */
const listedNamespace = ({ rules, namespace }: ObjectTarget, options: ListOptions): string => {
  if (!rules.row.namespaced || namespace !== '' || options.continue !== '') return namespace;
  const selected = options.namespace ?? '';
  return dnsLabelProblems(selected).length === 0 ? selected : '';
};

/** Reports whether kube-apiserver reads a single key instead of a list. */
const isOneName = (target: ObjectTarget, options: ListOptions): boolean => {
  const { name = '' } = options;
  if (name === '' || options.continue !== '' || pathSegmentProblems(name).length > 0) return false;
  return !target.rules.row.namespaced || listedNamespace(target, options) !== '';
};

/**
 * Returns up to `limit` matching objects and the number of objects examined. Whether a further one
 * matches is unknown.
 */
const selectObjects = (
  rest: readonly StoredObject[],
  options: ListOptions,
  limit: number,
): { readonly objects: readonly StoredObject[]; readonly scanned: number } => {
  const objects: StoredObject[] = [];
  for (const [index, stored] of rest.entries()) {
    if (options.matches(stored.object)) objects.push(stored);
    if (objects.length === limit) return { objects, scanned: index + 1 };
  }
  return { objects, scanned: rest.length };
};

/** List options, and whether they select a single name. */
interface ResolvedOptions extends ListOptions {
  readonly isOneName: boolean;
}

interface ListRequest {
  readonly options: ResolvedOptions;
  readonly context: ApiContext;
  readonly place: string;
  readonly continuation: Continuation | undefined;
}

const listOf = async (
  { rules, namespace }: ObjectTarget,
  { options, context, place, continuation }: ListRequest,
): Promise<ObjectList> => {
  const wanted = continuation?.revision ?? exactRevision(options);
  const snapshot = wanted === '' ? undefined : await findSnapshot(place, wanted, context);
  if (snapshot !== undefined) return snapshot;
  const { resource } = rules.row;
  const list = await context.store.list(resource, namespace === '' ? {} : { namespace });
  if (wanted === '') {
    const minimumRevision = continuation === undefined ? options.resourceVersion : '';
    if (minimumRevision !== '' && BigInt(minimumRevision) > revisionNumber(list.revision)) {
      return throwStatus(tooLargeRevision(minimumRevision, list.revision, isPage(options) ? 0 : 1));
    }
    return list;
  }
  if (wanted === list.revision) return list;
  if (BigInt(wanted) > revisionNumber(list.revision)) {
    return throwStatus(tooLargeRevision(wanted, list.revision, 0));
  }
  if (continuation === undefined) {
    return throwStatus(expired('The resourceVersion for the provided list is too old.'));
  }
  return throwStatus(expiredContinue);
};

/** Returns a list from an earlier page, which is copied once if another worker stores it. */
const findSnapshot = async (
  place: string,
  revision: string,
  { snapshots, findList }: ApiContext,
): Promise<ObjectList | undefined> => {
  const own = snapshots.find(place, revision);
  if (own !== undefined) return own;
  const copied = await findList?.(place, revision);
  if (copied !== undefined) snapshots.save(place, copied);
  return copied;
};

const revisionNumber = (revision: string): bigint =>
  /^\d+$/.test(revision) ? BigInt(revision) : 0n;

/** Returns the required revision; empty if the latest state is acceptable. */
const exactRevision = (options: ResolvedOptions): string => {
  const { resourceVersionMatch, resourceVersion } = options;
  if (resourceVersion === '' || resourceVersion === '0') return '';
  return resourceVersionMatch === 'Exact' || (isPage(options) && !options.isOneName)
    ? resourceVersion
    : '';
};

/** Reports whether the request is for a page of at least the given revision. */
const isPage = ({ resourceVersionMatch, limit }: ListOptions): boolean =>
  resourceVersionMatch === '' && limit > 0;

/**
 * Returns the 504 for a revision that does not exist yet. Requests for an exact revision or a page
 * have no Retry-After.
 */
const tooLargeRevision = (
  wanted: string,
  current: string,
  retryAfterSeconds: number,
): ApiError => ({
  code: 504,
  reason: 'Timeout',
  message: `Timeout: Too large resource version: ${wanted}, current: ${current}`,
  details: {
    causes: [
      { reason: 'ResourceVersionTooLarge', message: 'Too large resource version', field: '' },
    ],
    ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
  },
});

const expiredContinue: ApiError = expired(
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
);

const readContinue = (options: ListOptions): Continuation => {
  const continuation = readContinueToken(options.continue);
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throwStatus(badRequest('specifying resource version is not allowed when using continue'));
  }
  return continuation;
};
