/**
 * Path -> endpoint: one table, exact paths. The router of the real server forgives one slash at the
 * end under `/apis`, and nothing else anywhere.
 */
import { authenticationGroups, servedVersion } from './api-groups.ts';

export type Endpoint =
  | { readonly kind: 'selfSubjectReviews'; readonly group: string }
  | { readonly kind: 'tokenReviews'; readonly group: string }
  | { readonly kind: 'apiGroups' }
  | { readonly kind: 'apiGroup'; readonly group: string }
  | { readonly kind: 'apiResources'; readonly group: string }
  | { readonly kind: 'coreVersions' }
  | { readonly kind: 'version' }
  | { readonly kind: 'metrics' }
  | { readonly kind: 'index' }
  | { readonly kind: 'health'; readonly list: HealthList; readonly check: string | undefined };

export type HealthList = 'livez' | 'readyz' | 'healthz';

export type RouteResult =
  | { readonly kind: 'endpoint'; readonly endpoint: Endpoint }
  | { readonly kind: 'methodNotAllowed' }
  /** Under a group that is served: answered with a Status. */
  | { readonly kind: 'noSuchResource' }
  /** Anywhere else: answered with plain text. */
  | { readonly kind: 'noSuchPath' };

interface Row {
  /** `any`: the real server serves it beside its API router and looks at no method. */
  readonly method: 'GET' | 'POST' | 'any';
  readonly endpoint: Endpoint;
  /** May a slash follow? */
  readonly slash: boolean;
}

const get = (endpoint: Endpoint, slash = false): Row => ({ method: 'GET', endpoint, slash });
const any = (endpoint: Endpoint): Row => ({ method: 'any', endpoint, slash: false });
const post = (endpoint: Endpoint): Row => ({ method: 'POST', endpoint, slash: true });

const healthLists: readonly HealthList[] = ['livez', 'readyz', 'healthz'];

const rows: ReadonlyMap<string, Row> = new Map<string, Row>([
  ['/', any({ kind: 'index' })],
  ['/api', get({ kind: 'coreVersions' }, true)],
  ['/apis', get({ kind: 'apiGroups' }, true)],
  ['/version', get({ kind: 'version' }, true)],
  ['/metrics', any({ kind: 'metrics' })],
  ...healthLists.map((list): [string, Row] => [
    `/${list}`,
    any({ kind: 'health', list, check: undefined }),
  ]),
  ...[...authenticationGroups.keys()].flatMap((group): [string, Row][] => {
    const base = `/apis/${group}`;
    return [
      [base, get({ kind: 'apiGroup', group }, true)],
      [`${base}/${servedVersion}`, get({ kind: 'apiResources', group }, true)],
      [`${base}/${servedVersion}/selfsubjectreviews`, post({ kind: 'selfSubjectReviews', group })],
      [`${base}/${servedVersion}/tokenreviews`, post({ kind: 'tokenReviews', group })],
    ];
  }),
]);

/** All exact paths, sorted: what `/` lists. */
export const servedPaths: readonly string[] = [...rows.keys()]
  .filter((path) => path !== '/')
  .sort();

/** Finds the endpoint of a request that was authorized. */
export const route = (method: string, path: string): RouteResult => {
  const row = rowOf(path);
  if (row !== undefined) {
    return row.method === 'any' || row.method === method
      ? { kind: 'endpoint', endpoint: row.endpoint }
      : { kind: 'methodNotAllowed' };
  }
  const check = healthCheckOf(path);
  if (check !== undefined) return { kind: 'endpoint', endpoint: check };
  return isUnderServedGroup(path) ? { kind: 'noSuchResource' } : { kind: 'noSuchPath' };
};

const rowOf = (path: string): Row | undefined => {
  const exact = rows.get(path);
  if (exact !== undefined || !path.endsWith('/')) return exact;
  const shorter = rows.get(path.slice(0, -1));
  return shorter?.slash === true ? shorter : undefined;
};

const healthCheckOf = (path: string): Endpoint | undefined => {
  const list = healthLists.find((name) => path.startsWith(`/${name}/`));
  if (list === undefined) return undefined;
  return { kind: 'health', list, check: path.slice(list.length + 2) };
};

const isUnderServedGroup = (path: string): boolean =>
  [...authenticationGroups.keys()].some((group) => path.startsWith(`/apis/${group}/`));
