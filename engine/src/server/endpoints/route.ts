/**
 * Routes paths to endpoints: a table of exact paths, and the paths of stored objects. As in
 * kube-apiserver, trailing slashes are allowed only on paths of the router.
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
  /** The path is under a group or another path of the router: the response is a Status. */
  | { readonly kind: 'noSuchResource' }
  /** Any other path: the response is plain text. */
  | { readonly kind: 'noSuchPath' };

/** Which endpoints exist in addition to the reviews. */
export interface Served {
  /** Whether objects are stored. */
  readonly objects: boolean;
  /** Whether the beta version of the authentication groups is served. */
  readonly betaReviews: boolean;
  /** Whether the keys of service account tokens are published. */
  readonly issuerDocuments: boolean;
}

interface RouteRow {
  /** `any`: kube-apiserver serves the path outside its API router and accepts every method. */
  readonly method: 'GET' | 'POST' | 'any';
  readonly endpoint: Endpoint;
  /** Whether trailing slashes are allowed. */
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

/** Group documents are outside the router too: kube-apiserver's aggregator serves them. */
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

/** The rows of the beta version. */
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

/** The rows of stored objects. */
const objectRows: ReadonlyMap<string, RouteRow> = new Map<string, RouteRow>([
  [`/api/${servedVersion}`, get({ kind: 'coreResources' }, true)],
  ...[...rbacGroups.keys()].flatMap(groupRows),
  ...openApiPaths.map((path): [string, RouteRow] => [
    path,
    any({ kind: 'openApi', document: path }),
  ]),
]);

/** The rows of the service account issuer; the endpoint checks the method. */
const issuerRows: ReadonlyMap<string, RouteRow> = new Map<string, RouteRow>([
  [
    issuerDocumentPaths.configuration,
    any({ kind: 'issuerDocument', document: 'configuration' }, true),
  ],
  [issuerDocumentPaths.keys, any({ kind: 'issuerDocument', document: 'keys' }, true)],
]);

/** Returns the tables of the served endpoints. */
const tablesOf = (served: Served): readonly ReadonlyMap<string, RouteRow>[] => [
  rows,
  ...(served.betaReviews ? [betaRows] : []),
  ...(served.objects ? [objectRows] : []),
  ...(served.issuerDocuments ? [issuerRows] : []),
];

/** Returns all exact paths, sorted, for the index at `/`. */
export const servedPaths = (served: Served): readonly string[] =>
  tablesOf(served)
    .flatMap((table) => [...table.keys()])
    .filter((path) => path !== '/')
    .sort();

/** Finds the endpoint of an authorized request. */
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
  // Paths outside the router allow one trailing slash at most; more slashes reach the router, which
  // matches groups and keys.
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
