/**
 * Generates requests from the parts that affect authentication: the same seed gives the same
 * requests.
 */

import type { LabRequest } from './exchange.ts';
import { seededRandom } from './seeded-random.ts';

const certificates = [
  ...['alice', 'noorg', 'nocn', 'uid', 'expired', 'serveronly', 'stranger', 'dup'],
  ...['front-proxy', 'front-proxy', 'front-bad', 'impersonator', 'impersonator', 'admin'],
];

const tokens = [
  ...['static-one', 'static-two', 'static-imp', 'static-sys', 'static-none', 'x'],
  ...['good', 'es', 'nokid', 'badkid', 'rogue', 'hs', 'none', 'expired', 'future'].map(named),
  ...['wrongaud', 'audstr', 'wrongiss', 'nosub', 'nogroups', 'groupstr', 'groupbad'].map(named),
  ...['sysuser', 'hd', 'noexp', 'longlived', 'dept', 'unicode', 'tampered', 'truncsig'].map(named),
  ...['twoparts', 'padded', 'sa-builder', 'sa-builder', 'sa-builder-aud', 'sa-gone'].map(named),
  ...['abcdef.0123456789abcdef', 'groups.0123456789abcdef', 'badgrp.0123456789abcdef'],
  ...['nousee.0123456789abcdef', 'expire.0123456789abcdef', 'future.0123456789abcdef'],
  ...['mismat.0123456789abcdef', 'abcdef.0123456789abcdeg', 'ABCDEF.0123456789abcdef'],
];

function named(name: string): string {
  return `$\{${name}}`;
}

const schemes = [
  ...['Bearer ', 'Bearer ', 'Bearer ', 'Bearer ', 'Bearer ', 'bearer ', 'BEARER ', 'Bearer  '],
  ...[' Bearer ', 'Basic ', 'Bearer\t', 'Token ', ''],
];

const users = [
  ...['jane', 'bob', 'sue', 'imp', 'system:anonymous', 'system:admin', 'jürgen', '', ' ', 'a b'],
  ...['system:serviceaccount:team:builder', 'system:serviceaccount:team:gone'],
  ...['system:serviceaccount:kube-system:default', 'system:serviceaccount:team', 'system:node:n1'],
  'system:serviceaccount:Team:builder',
];

const groups = [
  ...['dev', 'ops', 'imps', '', 'system:masters', 'system:authenticated', 'a,b', 'dev '],
  ...['system:unauthenticated', 'system:serviceaccounts', 'system:nodes'],
];

const extraKeys = [
  ...['scopes', 'Scopes', 'example.com%2Fteam', 'Example.com%2fTeam', 'a%zz', '%41bc', '+', ''],
  ...['acme.example', 'reason'],
];

const review = 'authentication.@DOMAIN@';
const selfReviews = `/apis/${review}/v1/selfsubjectreviews`;
const tokenReviews = `/apis/${review}/v1/tokenreviews`;

const getPaths = [
  ...['/livez', '/readyz', '/healthz', '/livez/', '//livez', '/%6civez', '/LIVEZ', '/livez/ping'],
  ...['/api', '/apis', '/api/v1', '/metrics', '/nope', '/version/', '/openid/v1/jwks', '/logs'],
  ...['/.well-known/openid-configuration', '/api/v1/namespaces/team', '/api/v1/pods', '/a<b>&"'],
  ...[
    '/api/v1/namespaces/team/serviceaccounts/builder',
    '/api/v1/nodes',
    '/apis/nope.example/v1/x',
  ],
  ...['/api/v1/namespaces/team/secrets', '/api/v1/namespaces/none/serviceaccounts'],
  ...['/api/v1/namespaces/team/serviceaccounts/none', '/apis/rbac.authorization.@DOMAIN@/v1/roles'],
  ...['/api/v1/namespaces/team/pods', '/apis/rbac.authorization.@DOMAIN@/v1/clusterroles/imp'],
  ...[selfReviews, tokenReviews, '/api/v1/namespaces/team/serviceaccounts?limit=x'],
];

/** Paths at which no method modifies anything. */
const fixedPaths = [
  ...['/livez', '/readyz', '/healthz', '/version', '/version/', '/api', '/api/', '/apis', '/apis/'],
  ...['/api/v1', '/api/v1/', '/metrics', '/nope', '/', '/openid/v1/jwks', '/livez/ping'],
  ...[`/apis/${review}`, `/apis/${review}/`, `/apis/${review}/v1`, `/apis/${review}/v2`],
  ...['/apis/rbac.authorization.@DOMAIN@', '/apis/rbac.authorization.@DOMAIN@/v1'],
  ...['/.well-known/openid-configuration', '/apis/nope.example', selfReviews, `${selfReviews}/x`],
  ...['/version/x', '/version//', '/api//', '/api/v1//', '/apis//', `/apis/${review}//`],
  ...[`${selfReviews}//`, '/openid/v1/jwks//', '/apis/rbac.authorization.@DOMAIN@/v1//'],
];

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const accepts = [
  ...[
    'application/json',
    'application/yaml',
    '*/*',
    'text/html',
    'application/vnd.kubernetes.cbor',
  ],
  ...['application/*', '*', 'application/JSON', '*/json', 'application/json;q=0', ''],
  ...['application/json;q=0.5,application/yaml', 'application/json;as=Table;v=v1;g=meta.k8s.io'],
  ...['application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'],
  ...['application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'],
];

const contentTypes = [
  ...['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/yaml'],
  ...['application/x-www-form-urlencoded', 'application/vnd.kubernetes.protobuf'],
];

/** A status that the client of a review must not set. */
const clientStatus = { authenticated: true, audiences: ['kube'], error: 'said before' };

/** Generates requests that vary in their credentials and in what they request. */
export const generatedRequests = (count: number, seed: number): readonly LabRequest[] => {
  const { next, pick, indexes, chance } = seededRandom(seed);

  const credentialHeaders = (): readonly string[] => [
    ...(chance(0.55) ? [`Authorization: ${pick(schemes)}${pick(tokens)}`] : []),
    ...(chance(0.06) ? [`Authorization: Bearer ${pick(tokens)}`] : []),
    ...(chance(0.06) ? websocket() : []),
  ];
  const websocket = (): readonly string[] => [
    `Connection: ${pick(['upgrade', 'Upgrade', 'keep-alive, Upgrade', 'close'])}`,
    `Upgrade: ${pick(['websocket', 'WebSocket', 'h2c'])}`,
    `Sec-WebSocket-Protocol: ${indexes(2)
      .map(() => pick([encoded('static-one'), encoded('nope'), 'chat', '', `${prefix}%%`]))
      .join(pick([',', ', ']))}`,
  ];
  const proxyHeaders = (): readonly string[] => [
    ...indexes(2).map(() => `${pick(['X-Remote-User', 'x-remote-user'])}: ${pick(users)}`),
    ...indexes(3).map(() => `X-Remote-Group: ${pick(groups)}`),
    ...indexes(1).map(() => `X-Remote-Uid: ${pick(['u', '', 'v'])}`),
    ...indexes(2).map(() => `X-Remote-Extra-${pick(extraKeys)}: ${pick(['a', '', 'b c', '%41'])}`),
  ];
  const impersonation = (): readonly string[] => [
    ...indexes(2).map(() => `${pick(['Impersonate-User', 'impersonate-user'])}: ${pick(users)}`),
    ...indexes(2).map(() => `Impersonate-Group: ${pick(groups)}`),
    ...indexes(1).map(() => `Impersonate-Uid: ${pick(['u', '', 'v'])}`),
    ...indexes(2).map(
      () => `Impersonate-Extra-${pick(extraKeys)}: ${pick(['a', '', 'red', '%41'])}`,
    ),
    ...indexes(1).map(() => 'Impersonate-Other: x'),
  ];
  const caller = (): Pick<LabRequest, 'headers' | 'cert'> => {
    // Administrators get to code paths that other callers never reach.
    if (chance(0.2)) {
      return { headers: chance(0.3) ? [`Accept: ${pick(accepts)}`] : [], cert: 'admin' };
    }
    const certificate = chance(0.45) ? pick(certificates) : undefined;
    const headers = [
      ...credentialHeaders(),
      ...(certificate?.startsWith('front') === true || chance(0.1) ? proxyHeaders() : []),
      ...(chance(certificate === 'impersonator' ? 0.8 : 0.2) ? impersonation() : []),
      ...(chance(0.12) ? [`Accept: ${pick(accepts)}`] : []),
      ...(chance(0.05) ? [`User-Agent: ${pick(['curl/8', 'kubectl/v1.36.3', 'x'])}`] : []),
    ];
    return certificate === undefined ? { headers } : { headers, cert: certificate };
  };
  const reviewBody = (kind: string): string => {
    const spec =
      kind === 'TokenReview'
        ? {
            spec: {
              ...(chance(0.95) ? { token: pick(tokens) } : {}),
              ...(chance(0.3)
                ? {
                    audiences: indexes(2).map(() =>
                      pick(['kube', 'vault', 'https://sa.lab.example']),
                    ),
                  }
                : {}),
            },
          }
        : {};
    const body = {
      apiVersion: pick([`${review}/v1`, `${review}/v1`, `${review}/v1`, `${review}/v1beta1`, 'v1']),
      kind: chance(0.95) ? kind : pick(['TokenReview', 'SelfSubjectReview', 'Pod', '']),
      ...spec,
      ...(chance(0.06) ? { [pick(['x', 'Status', 'metadata'])]: pick([1, 'a', null, {}]) } : {}),
      ...(chance(0.06)
        ? { status: pick([{ user: { username: 'jane', groups: ['a'] } }, clientStatus]) }
        : {}),
    };
    const text = JSON.stringify(body);
    return chance(0.04) ? text.slice(0, Math.floor(next() * text.length)) : text;
  };
  const query = (): string =>
    chance(0.1)
      ? pick([
          ...['?fieldValidation=Strict', '?pretty=true', '?dryRun=All', '?dryRun=x', '?timeout=5s'],
          ...['?fieldManager=me', '?fieldValidation=Nope', '?unknown=1'],
        ])
      : '';
  const what = (): Omit<LabRequest, 'id' | 'headers' | 'cert'> => {
    if (chance(0.2)) return { method: pick(methods), path: pick(fixedPaths) };
    if (chance(0.2))
      return { method: pick(['GET', 'GET', 'GET', 'HEAD', 'POST']), path: pick(getPaths) };
    const isSelf = chance(0.7);
    const body = reviewBody(isSelf ? 'SelfSubjectReview' : 'TokenReview');
    const path = (isSelf ? selfReviews : tokenReviews) + query();
    return { method: chance(0.96) ? 'POST' : pick(['PUT', 'DELETE', 'PATCH']), path, body };
  };
  return Array.from({ length: count }, (_, index) => {
    const { headers, ...rest } = caller();
    const request = what();
    const type =
      request.body !== undefined && chance(0.08) ? [`Content-Type: ${pick(contentTypes)}`] : [];
    return {
      id: `generated-${seed}-${index}`,
      ...request,
      headers: [...headers, ...type],
      ...rest,
    };
  });
};

const prefix = 'base64url.bearer.authorization.@DOMAIN@.';
const encoded = (token: string): string => prefix + Buffer.from(token).toString('base64url');
