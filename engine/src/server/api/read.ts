/** GET of an object and of a collection. */
import { decodeBase64Loosely, encodeBase64Url } from '../../formats/base64.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { readJsonObject } from '../../formats/json-object.ts';
import { parseJsonTree, rawJson } from '../../formats/json-tree.ts';
import { byCodePoint } from '../../formats/text-order.ts';
import { type ApiError, badRequest } from '../../model/api-error.ts';
import type { ObjectList, StoredObject } from '../../ports/store.ts';
import { emptyObject } from '../../resources/object-fields.ts';
import type { Answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { queryValue } from '../http/target.ts';
import { bodyLimits } from '../limits.ts';
import type { ApiContext } from './api-context.ts';
import { type ListOptions, listOptions } from './list-options.ts';
import { demandForm, listAnswer, storedAnswer } from './object-answer.ts';
import { checkKey, refuse, refusing } from './refusal.ts';
import { expired, notFound } from './refusals.ts';
import type { ListMeta } from './table.ts';
import type { ObjectTarget } from './target.ts';

/** GET of an object. */
export const getObject = (
  exchange: Exchange,
  target: ObjectTarget,
  context: ApiContext,
): Promise<Answer> =>
  refusing(exchange, target, async () => {
    demandForm(exchange);
    checkKey(target);
    const { rules, namespace, name } = target;
    const asked = queryValue(exchange.target, 'resourceVersion');
    const wrong = revisionProblem(asked);
    if (wrong !== undefined) refuse({ code: 500, reason: '', message: wrong });
    const { resource } = rules.row;
    const stored = await context.store.get({ resource, namespace, name });
    if (revisionNumber(asked) > revisionNumber(stored?.revision ?? '')) {
      const { revision } = await context.store.list(
        resource,
        namespace === '' ? {} : { namespace },
      );
      if (revisionNumber(asked) > revisionNumber(revision)) {
        refuse(tooLargeRevision(asked, revision, 1));
      }
    }
    if (stored === undefined) return refuse(notFound(target, name));
    const now = context.clock.now();
    return storedAnswer(exchange, target, { status: 200, object: stored.object, now });
  });

/** GET of a collection. */
export const listObjects = (
  exchange: Exchange,
  target: ObjectTarget,
  context: ApiContext,
): Promise<Answer> =>
  refusing(exchange, target, async () => {
    demandForm(exchange, 'list');
    const read = listOptions(exchange.target, target.rules);
    if (read.kind === 'error') return refuse(read.error);
    const page = await listPage(target, read.options, context);
    const objects = page.objects.map(({ object }) => object);
    return listAnswer(exchange, target, { objects, meta: page.meta, now: context.clock.now() });
  });

/** Revisions are numbers for every client, whatever the store thinks of them. */
export const revisionProblem = (revision: string): string | undefined => {
  if (revision === '' || /^\d{1,19}$/.test(revision)) return undefined;
  const why = /^\d+$/.test(revision) ? 'value out of range' : 'invalid syntax';
  return `resourceVersion: Invalid value: ${goQuote(revision)}: strconv.ParseUint: parsing ${goQuote(revision)}: ${why}`;
};

const checkRevision = (revision: string): void => {
  const problem = revisionProblem(revision);
  if (problem !== undefined) refuse(badRequest(`invalid resource version: ${problem}`));
};

/** Objects of one answer. */
export interface Page {
  readonly objects: readonly StoredObject[];
  readonly meta: ListMeta;
}

/** One page of a list; all of it where no limit is asked for. */
export const listPage = async (
  target: ObjectTarget,
  options: ListOptions,
  context: ApiContext,
): Promise<Page> => {
  const place = `${target.rules.row.resource}/${target.namespace}`;
  const begun = options.continue === '' ? undefined : readContinue(options);
  if (begun === undefined) checkRevision(options.resourceVersion);
  const list = await listOf(target, { options, context, place, begun });
  const after = begun?.after;
  const rest = list.objects.filter(
    (stored) =>
      (after === undefined || byCodePoint(placeOf(stored, target), after) > 0) &&
      (!isOneName(target, options) || stored.key.name === options.name),
  );
  // Any state will do: the real server gives the whole of the one that it has at hand.
  const isWhole = options.limit === 0 || (begun === undefined && options.resourceVersion === '0');
  const { objects, passed } = selected(rest, options, isWhole ? rest.length : options.limit);
  const last = objects.at(-1);
  if (isWhole || last === undefined || passed === rest.length) {
    return { objects, meta: { revision: list.revision } };
  }
  context.snapshots.keep(place, list);
  const token = continueToken(list.revision, placeOf(last, target));
  const remaining = rest.length - passed;
  return {
    objects,
    meta: {
      revision: list.revision,
      continue: token,
      ...(options.isComplete ? { remaining } : {}),
    },
  };
};

/** Whether the real server looks for one key, and reads no list. */
const isOneName = ({ rules, namespace }: ObjectTarget, options: ListOptions): boolean =>
  options.name !== undefined &&
  options.continue === '' &&
  (!rules.row.namespaced || namespace !== '');

/** So many that match, and how many were looked at: whether another one will match is not known. */
const selected = (
  rest: readonly StoredObject[],
  options: ListOptions,
  most: number,
): { readonly objects: readonly StoredObject[]; readonly passed: number } => {
  const objects: StoredObject[] = [];
  for (const [index, stored] of rest.entries()) {
    if (options.matches(stored.object)) objects.push(stored);
    if (objects.length === most) return { objects, passed: index + 1 };
  }
  return { objects, passed: rest.length };
};

/** Where an object stands in its list: `name`, or `namespace/name` in a list over all. */
const placeOf = ({ key }: StoredObject, target: ObjectTarget): string =>
  target.rules.row.namespaced && target.namespace === ''
    ? `${key.namespace}/${key.name}`
    : key.name;

const utf8 = new TextEncoder();

interface Begun {
  /** Empty: whatever is there now. */
  readonly revision: string;
  readonly after: string;
}

interface Asked {
  readonly options: ListOptions;
  readonly context: ApiContext;
  readonly place: string;
  readonly begun: Begun | undefined;
}

const listOf = async (
  { rules, namespace }: ObjectTarget,
  { options, context, place, begun }: Asked,
): Promise<ObjectList> => {
  const wanted = begun?.revision ?? exactRevision(options);
  const known = wanted === '' ? undefined : context.snapshots.find(place, wanted);
  if (known !== undefined) return known;
  const { resource } = rules.row;
  const list = await context.store.list(resource, namespace === '' ? {} : { namespace });
  if (wanted === '') {
    const least = begun === undefined ? options.resourceVersion : '';
    if (least !== '' && BigInt(least) > revisionNumber(list.revision)) {
      return refuse(tooLargeRevision(least, list.revision, 1));
    }
    return list;
  }
  if (wanted === list.revision) return list;
  if (BigInt(wanted) > revisionNumber(list.revision)) {
    return refuse(tooLargeRevision(wanted, list.revision, 0));
  }
  if (begun === undefined) {
    return refuse(expired('The resourceVersion for the provided list is too old.'));
  }
  return refuse(expiredContinue);
};

const revisionNumber = (revision: string): bigint =>
  /^\d+$/.test(revision) ? BigInt(revision) : 0n;

/** Empty where the newest state will do. */
const exactRevision = ({ match, resourceVersion, limit }: ListOptions): string => {
  if (resourceVersion === '' || resourceVersion === '0') return '';
  return match === 'Exact' || (match === '' && limit > 0) ? resourceVersion : '';
};

/** Who asks for one state exactly is not told when to come again. */
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

/** The real server's token: base64 of JSON with the revision and where to go on. */
const continueToken = (revision: string, last: string): string => {
  const text = `{"v":"meta.k8s.io/v1","rv":${revision},"start":${JSON.stringify(`${last}\0`)}}`;
  return encodeBase64Url(utf8.encode(text));
};

const readContinue = (options: ListOptions): Begun => {
  const broken = (why: string): never => refuse(badRequest(`invalid continue token: ${why}`));
  const decoded = decodeBase64Loosely(options.continue, { alphabet: 'url', padding: 'none' });
  if (decoded.kind === 'error') return broken(`continue key is not valid: ${decoded.error}`);
  const tree = parseJsonTree(decoded.bytes, bodyLimits.depth);
  if (tree.kind === 'error') return broken(`continue key is not valid: ${tree.error}`);
  const token = readJsonObject(rawJson(tree.bytes, tree.root)) ?? emptyObject;
  if (token.get('v') !== 'meta.k8s.io/v1') {
    const version = token.get('v');
    const shown = typeof version === 'string' ? version : '';
    const why = `server does not recognize this encoded version ${shown}`;
    return broken(`continue key is not valid: ${why}`);
  }
  const revision = token.get('rv');
  if (typeof revision !== 'number' || revision === 0) {
    return broken(
      'continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    );
  }
  const start = token.get('start');
  if (typeof start !== 'string' || start === '') {
    return broken('continue key is not valid: encoded start key empty (version meta.k8s.io/v1)');
  }
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
    refuse(badRequest('specifying resource version is not allowed when using continue'));
  }
  return { revision: revision < 0 ? '' : String(revision), after: start.replace(/\0$/, '') };
};
