/**
 * Path -> endpoint: one table of exact paths, and the paths of stored objects. The router of the real
 * server forgives slashes at the end of its own paths, and nothing else anywhere.
 */
import { type ObjectTarget, objectTarget } from '../api/target.ts';
import {
  authenticationGroups,
  betaVersion,
  type ReviewVersion,
  rbacGroups,
  servedVersion,
} from '../api-groups.ts';
import { type IssuerDocument, issuerDocumentPaths } from './issuer-documents.ts';

export type Endpoint =
  | { readonly kind: 'selfSubjectReviews'; readonly group: string; readonly version: ReviewVersion }
  | { readonly kind: 'tokenReviews'; readonly group: string }
  | { readonly kind: 'apiGroups' }
  | { readonly kind: 'apiGroup'; readonly group: string }
  | { readonly kind: 'apiResources'; readonly group: string; readonly version: ReviewVersion }
  | { readonly kind: 'coreVersions' }
  | { readonly kind: 'coreResources' }
  | { readonly kind: 'openApi'; readonly document: string }
  | { readonly kind: 'objects'; readonly target: ObjectTarget }
  | { readonly kind: 'issuerDocument'; readonly document: IssuerDocument }
  | { readonly kind: 'version' }
  | { readonly kind: 'metrics' }
  | { readonly kind: 'index' }
  | { readonly kind: 'health'; readonly list: HealthList; readonly check: string | undefined };

export type HealthList = 'livez' | 'readyz' | 'healthz';

export type RouteResult =
  | { readonly kind: 'endpoint'; readonly endpoint: Endpoint }
  | { readonly kind: 'methodNotAllowed' }
  /** Under a group, or another path of the router: answered with a Status. */
  | { readonly kind: 'noSuchResource' }
  /** Anywhere else: answered with plain text. */
  | { readonly kind: 'noSuchPath' };

/** What there is beside reviews. */
export interface Served {
  /** Is there a store? */
  readonly objects: boolean;
  /** Is there the older version of the groups of authentication? */
  readonly betaReviews: boolean;
  /** Are the keys of service account tokens published? */
  readonly issuerDocuments: boolean;
}

interface RouteRow {
  /** `any`: the real server serves it beside its API router and looks at no method. */
  readonly method: 'GET' | 'POST' | 'any';
  readonly endpoint: Endpoint;
  /** May slashes follow? */
  readonly allowsTrailingSlash: boolean;
}

const get = (endpoint: Endpoint, slash = false): RouteRow => ({
  method: 'GET',
  endpoint,
  allowsTrailingSlash: slash,
});
const any = (endpoint: Endpoint, slash = false): RouteRow => ({
  method: 'any',
  endpoint,
  allowsTrailingSlash: slash,
});
const post = (endpoint: Endpoint): RouteRow => ({
  method: 'POST',
  endpoint,
  allowsTrailingSlash: true,
});

const healthLists: readonly HealthList[] = ['livez', 'readyz', 'healthz'];

const resourceListRow = (group: string, version: ReviewVersion): [string, RouteRow] => [
  `/apis/${group}/${version}`,
  get({ kind: 'apiResources', group, version }, true),
];

const selfSubjectReviewsRow = (group: string, version: ReviewVersion): [string, RouteRow] => [
  `/apis/${group}/${version}/selfsubjectreviews`,
  post({ kind: 'selfSubjectReviews', group, version }),
];

/** Lists of groups stand beside the router too: the real server gathers them from several servers. */
const groupRows = (group: string): [string, RouteRow][] => [
  [`/apis/${group}`, any({ kind: 'apiGroup', group }, true)],
  resourceListRow(group, servedVersion),
];

const rows: ReadonlyMap<string, RouteRow> = new Map<string, RouteRow>([
  ['/', any({ kind: 'index' })],
  ['/api', get({ kind: 'coreVersions' }, true)],
  ['/apis', any({ kind: 'apiGroups' }, true)],
  ['/version', get({ kind: 'version' }, true)],
  ['/metrics', any({ kind: 'metrics' })],
  ...healthLists.map((list): [string, RouteRow] => [
    `/${list}`,
    any({ kind: 'health', list, check: undefined }),
  ]),
  ...[...authenticationGroups.keys()].flatMap((group): [string, RouteRow][] => [
    ...groupRows(group),
    selfSubjectReviewsRow(group, servedVersion),
    [`/apis/${group}/${servedVersion}/tokenreviews`, post({ kind: 'tokenReviews', group })],
  ]),
]);

/** Rows that are there where the older version is asked for. */
const betaRows: ReadonlyMap<string, RouteRow> = new Map<string, RouteRow>(
  [...authenticationGroups.keys()].flatMap((group) => [
    resourceListRow(group, betaVersion),
    selfSubjectReviewsRow(group, betaVersion),
  ]),
);

const openApiPaths = [
  '/openapi/v2',
  '/openapi/v3',
  `/openapi/v3/api/${servedVersion}`,
  ...[...authenticationGroups.keys(), ...rbacGroups.keys()].map(
    (group) => `/openapi/v3/apis/${group}/${servedVersion}`,
  ),
];

/** Rows that are there where objects are stored. */
const objectRows: ReadonlyMap<string, RouteRow> = new Map<string, RouteRow>([
  [`/api/${servedVersion}`, get({ kind: 'coreResources' }, true)],
  ...[...rbacGroups.keys()].flatMap(groupRows),
  ...openApiPaths.map((path): [string, RouteRow] => [
    path,
    any({ kind: 'openApi', document: path }),
  ]),
]);

/** Rows that are there where an issuer of tokens publishes its keys; the endpoint judges the method. */
const issuerRows: ReadonlyMap<string, RouteRow> = new Map<string, RouteRow>([
  [
    issuerDocumentPaths.configuration,
    any({ kind: 'issuerDocument', document: 'configuration' }, true),
  ],
  [issuerDocumentPaths.keys, any({ kind: 'issuerDocument', document: 'keys' }, true)],
]);

/** The tables of what is served. */
const tablesOf = (served: Served): readonly ReadonlyMap<string, RouteRow>[] => [
  rows,
  ...(served.betaReviews ? [betaRows] : []),
  ...(served.objects ? [objectRows] : []),
  ...(served.issuerDocuments ? [issuerRows] : []),
];

/** All exact paths, sorted: what `/` lists. */
export const servedPaths = (served: Served): readonly string[] =>
  tablesOf(served)
    .flatMap((table) => [...table.keys()])
    .filter((path) => path !== '/')
    .sort();

/** Finds the endpoint of a request that was authorized. */
export const route = (method: string, path: string, served: Served): RouteResult => {
  const row =
    rowOf(path, rows) ??
    (served.betaReviews ? rowOf(path, betaRows) : undefined) ??
    (served.objects ? rowOf(path, objectRows) : undefined) ??
    (served.issuerDocuments ? rowOf(path, issuerRows) : undefined);
  if (row !== undefined) {
    return row.method === 'any' || row.method === method
      ? { kind: 'endpoint', endpoint: row.endpoint }
      : { kind: 'methodNotAllowed' };
  }
  const check = healthCheckOf(path);
  if (check !== undefined) return { kind: 'endpoint', endpoint: check };
  const target = served.objects ? objectTarget(path) : undefined;
  if (target !== undefined) return { kind: 'endpoint', endpoint: { kind: 'objects', target } };
  return isRouterPath(path, served) ? { kind: 'noSuchResource' } : { kind: 'noSuchPath' };
};

const rowOf = (path: string, table: ReadonlyMap<string, RouteRow>): RouteRow | undefined => {
  const exact = table.get(path);
  if (exact !== undefined || !path.endsWith('/')) return exact;
  let end = path.length - 1;
  while (path[end - 1] === '/') end -= 1;
  const row = table.get(path.slice(0, end));
  if (row?.allowsTrailingSlash !== true) return undefined;
  if (end === path.length - 1) return row;
  // What stands beside the router takes one slash at most; behind it the router knows groups and keys.
  if (row.endpoint.kind === 'apiGroups') return undefined;
  return row.method === 'any' ? { ...row, method: 'GET' } : row;
};

const healthCheckOf = (path: string): Endpoint | undefined => {
  const list = healthLists.find((name) => path.startsWith(`/${name}/`));
  if (list === undefined) return undefined;
  return { kind: 'health', list, check: path.slice(list.length + 2) };
};

const isRouterPath = (path: string, { objects, issuerDocuments }: Served): boolean => {
  const groups = [...authenticationGroups.keys(), ...(objects ? rbacGroups.keys() : [])];
  const isCore = objects && path.startsWith('/api/');
  const isVersion = path.startsWith('/version/');
  const isIssuer =
    issuerDocuments && [...issuerRows.keys()].some((document) => path.startsWith(`${document}/`));
  return (
    isCore || isIssuer || isVersion || groups.some((group) => path.startsWith(`/apis/${group}/`))
  );
};
