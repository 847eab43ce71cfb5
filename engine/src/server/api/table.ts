/** Table responses with the columns of the kind. */
import type { Json, JsonObject } from '../../model/json.ts';
import type { TableColumn } from '../../resources/kind-rules.ts';
import { stringAt } from '../../resources/object-fields.ts';
import type { MetaVersion } from '../wire/media-type.ts';
import { partial, shownObject } from './shown-object.ts';
import type { ObjectTarget } from './target.ts';

export interface ListMeta {
  readonly revision: string;
  readonly continue?: string;
  readonly remaining?: number;
}

/** Returns the metadata of lists and tables. */
export const listMetadata = (meta: ListMeta): JsonObject =>
  new Map<string, Json>([
    ...(meta.revision === '' ? [] : [['resourceVersion', meta.revision] as const]),
    ...(meta.continue === undefined ? [] : [['continue', meta.continue] as const]),
    ...(meta.remaining === undefined ? [] : [['remainingItemCount', meta.remaining] as const]),
  ]);

export interface TableOptions {
  readonly now: number;
  readonly meta: ListMeta;
  /** `None`, `Metadata` or `Object`. */
  readonly include: string;
  readonly version: MetaVersion;
  /** Later rows of a watch have no column definitions. */
  readonly omitsColumns?: true;
}

export const tableOf = (
  objects: readonly JsonObject[],
  target: ObjectTarget,
  { now, meta, include, version, omitsColumns }: TableOptions,
): JsonObject =>
  new Map<string, Json>([
    ['kind', 'Table'],
    ['apiVersion', `meta.k8s.io/${version}`],
    ['metadata', listMetadata(meta)],
    ['columnDefinitions', omitsColumns === true ? null : target.rules.columns.map(columnOf)],
    ['rows', rowsOf(objects, target, { now, include, version })],
  ]);

const columnOf = ({ name, type, format, description, priority }: TableColumn): Json =>
  new Map<string, Json>([
    ['name', name],
    ['type', type ?? 'string'],
    ['format', format ?? ''],
    ['description', description],
    ['priority', priority ?? 0],
  ]);

type RowOptions = Pick<TableOptions, 'now' | 'include' | 'version'>;

/**
 * Returns the rows. Kinds without a printer in kube-apiserver have `null` instead of an empty list.
 */
const rowsOf = (objects: readonly JsonObject[], target: ObjectTarget, options: RowOptions): Json =>
  objects.length === 0 && kindsWithoutPrinter.has(target.rules.row.resource)
    ? null
    : objects.map((object) => rowOf(object, target, options));

const kindsWithoutPrinter = new Set(['roles', 'clusterroles']);

const rowOf = (
  object: JsonObject,
  target: ObjectTarget,
  { now, include, version }: RowOptions,
): Json => {
  const cells = target.rules.cells(object, age(object, now));
  const shown = shownObject(object, target);
  const carried = include === 'Object' ? shown : partial(shown, version);
  return new Map<string, Json>([
    ['cells', cells],
    ...(include === 'None' ? [['object', null] as const] : [['object', carried] as const]),
  ]);
};

const age = (object: JsonObject, now: number): string => {
  const created = Date.parse(stringAt(object, 'metadata', 'creationTimestamp'));
  return Number.isNaN(created) ? '<unknown>' : humanDuration(Math.floor((now - created) / 1000));
};

/**
 * Formats a duration as kubectl: at most two units, fewer the longer it is: `45s`, `3m20s`, `5h`,
 * `2d3h`, `400d`, `3y`.
 */
const humanDuration = (seconds: number): string => {
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return withRest(`${minutes}m`, seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(seconds / 3600);
  if (hours < 8) return withRest(`${hours}h`, minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return withRest(`${days}d`, hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 2920 ? withRest(`${years}y`, days % 365, 'd') : `${years}y`;
};

const withRest = (text: string, rest: number, unit: string): string =>
  rest === 0 ? text : `${text}${rest}${unit}`;
