/** Answers cases about impersonation, with both filters and RBAC. */
import { quoteByteString } from '../../../engine/src/formats/byte-string.ts';
import type { JsonObject } from '../../../engine/src/model/json.ts';
import { privilegedGroup, type UserInfo } from '../../../engine/src/model/user-info.ts';
import { nodeDigest } from '../../../engine/src/node/digest.ts';
import type { AuthorizationRequest, Authorizer } from '../../../engine/src/ports/authorizer.ts';
import { rbacAuthorizer } from '../../../engine/src/rbac/authorize.ts';
import { fixedView } from '../../../engine/src/rbac/fixed-view.ts';
import { rolePolicy } from '../../../engine/src/rbac/role-policy.ts';
import { forbidden } from '../../../engine/src/runtime/forbidden.ts';
import {
  type AuthorizationAttributes,
  impersonator,
} from '../../../engine/src/runtime/impersonate.ts';
import { requestInfo } from '../../../engine/src/server/http/request-info.ts';
import { parseTarget } from '../../../engine/src/server/http/target.ts';
import {
  impersonationScope,
  missingUserError,
  readImpersonation,
  withoutImpersonation,
} from '../../../engine/src/server/requests/impersonation.ts';
import { statusObject } from '../../../engine/src/server/wire/status.ts';
import { writeJson } from '../../../engine/src/server/wire/write-json.ts';
import { fakePorts } from '../fake-ports.ts';
import { manualClock } from '../manual-clock.ts';
import { asWritten, type HeaderPairs, headerListOf, headerPairs } from './header-fields.ts';
import { objectOf } from './json-objects.ts';
import type { CaseLine } from './module-cases.ts';
import { recordedRoles } from './recorded-roles.ts';

export interface Grant {
  readonly user?: string;
  readonly group?: string;
  /** `NAMESPACE/NAME` */
  readonly serviceAccount?: string;
  readonly namespace?: string;
  /** Applies to the cluster only. */
  readonly missingRole?: string;
  readonly rules?: readonly object[];
}

interface Request {
  readonly requestor?: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly method?: string;
  readonly target?: string;
  readonly headers?: HeaderPairs | null;
}

export type ImpersonationCase = CaseLine<
  {
    readonly mode?: string;
    readonly grants?: readonly Grant[] | null;
    readonly authorizerError?: string;
  },
  { readonly requests?: readonly Request[] | null }
>;

/**
 * False for cases that were recorded from the filter alone. AuthGraph has no impersonation without
 * an authenticated caller: a request that no authenticator accepts gets a 401 before its
 * impersonation headers are read.
 */
export const isReachable = ({ id }: { readonly id: string }): boolean =>
  !/^(?:impersonation-055|variation-(?:10|26|31)\b)/.test(id);

export const answerImpersonation = async ({
  config,
  input,
}: ImpersonationCase): Promise<object> => {
  const checks: string[] = [];
  const objects = grantObjects(config.grants?.map(withPlainGroup));
  const roles = rbacAuthorizer(recordedRoles(rolePolicy([fixedView(objects)], { domain })));
  const authorizer = noting(roles, config.authorizerError ?? '', checks);
  const constrained = config.mode === 'constrained';
  const impersonate = impersonator({
    authorizer,
    constrained,
    domain,
    clock: manualClock().clock,
    digest: nodeDigest(),
    metrics: fakePorts().metrics,
  });

  const answer = async (request: Request): Promise<object> => {
    const target = parseTarget(request.target ?? usualTarget);
    if (target === undefined) throw new Error('a target that no server would read');
    const info = requestInfo(request.method ?? 'GET', target);
    const headers = headerListOf(request.headers);
    const requestor = userOf(request.requestor);
    const wanted = readImpersonation(headers);
    if (wanted === undefined) {
      return { headersAfter: headerPairs(headers), status: 200, ...userAnswer(requestor) };
    }
    const nameless = missingUserError(wanted, { constrained, domain });
    if (nameless !== undefined) return errorAnswer(nameless);
    if (requestor === undefined) throw new Error('impersonation without an authenticated caller');
    const attributes: AuthorizationAttributes =
      info.kind === 'resource'
        ? { resource: info.attributes }
        : { nonResource: { verb: info.verb, path: info.path } };
    const scope = impersonationScope({ target, info });
    const outcome = await impersonate({ requested: wanted, requestor, request: attributes, scope });
    return outcome.kind === 'denied'
      ? errorAnswer(forbidden({ user: requestor, ...outcome.attributes }, outcome.reason))
      : {
          headersAfter: headerPairs(withoutImpersonation(headers)),
          status: 200,
          ...userAnswer(outcome.user),
        };
  };

  const responses: object[] = [];
  for (const request of input.requests ?? []) {
    checks.length = 0;
    const answered = await answer(request);
    responses.push(asWritten({ ...answered, authorizationChecks: [...checks] }));
  }
  return { responses };
};

const domain = 'k8s.io';
const usualTarget = '/api/v1/namespaces/default/pods';

const errorAnswer = (error: Parameters<typeof statusObject>[0]): object => ({
  status: error.code,
  contentType: 'application/json',
  body: JSON.parse(writeJson(statusObject(error))),
});

const userOf = (requestor: Request['requestor']): UserInfo | undefined =>
  requestor && {
    username: requestor.username ?? '',
    uid: requestor.uid ?? '',
    groups: requestor.groups ?? [],
    extra: new Map(Object.entries(requestor.extra ?? {})),
  };

const userAnswer = (user: UserInfo | undefined): object => {
  if (user === undefined) return { user: null };
  const { username, uid, groups, extra } = user;
  return {
    user: {
      username,
      ...(uid === '' ? {} : { uid }),
      ...(groups.length === 0 ? {} : { groups }),
      ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }),
    },
  };
};

/** RBAC alone was recorded, for which `system:masters` is a group like any other. */
const plainGroup = (group: string): string =>
  group === privilegedGroup ? `${group} by role` : group;

const withPlainGroup = (grant: Grant): Grant =>
  grant.group === undefined ? grant : { ...grant, group: plainGroup(grant.group) };

const withPlainGroups = (request: AuthorizationRequest): AuthorizationRequest => ({
  ...request,
  user: { ...request.user, groups: request.user.groups.map(plainGroup) },
});

/** Records each authorization with its answer. */
const noting = (inner: Authorizer, failure: string, checks: string[]): Authorizer => ({
  async authorize(request) {
    const answer =
      failure === ''
        ? await inner.authorize(withPlainGroups(request))
        : { allowed: false, reason: '', error: failure };
    checks.push(`${authorizationText(request)} -> ${answer.allowed ? 'allow' : 'deny'}`);
    return answer;
  },
});

const authorizationText = ({ resource, nonResource }: AuthorizationRequest): string => {
  if (resource === undefined) return `${nonResource?.verb} path=${quoted(nonResource?.path)}`;
  const { subresource = '', resource: kind } = resource;
  const shown = subresource === '' ? kind : `${kind}/${subresource}`;
  return `${resource.verb} group=${quoted(resource.group)} resource=${quoted(shown)} namespace=${quoted(resource.namespace)} name=${quoted(resource.name)}`;
};

const quoted = (text = ''): string => quoteByteString(text);

/** Creates a role and a binding for each grant. */
export const grantObjects = (grants: readonly Grant[] | null = []): readonly JsonObject[] =>
  (grants ?? []).flatMap((grant, position) => {
    const name = `grant-${String(position).padStart(4, '0')}`;
    const { namespace = '' } = grant;
    const missing = namespace === '' ? grant.missingRole || undefined : undefined;
    const prefix = namespace === '' ? 'Cluster' : '';
    const metadata = { name, ...(namespace === '' ? {} : { namespace }) };
    const role = { kind: `${prefix}Role`, metadata, rules: grant.rules ?? [] };
    const binding = {
      kind: `${prefix}RoleBinding`,
      metadata,
      roleRef: { kind: `${prefix}Role`, name: missing ?? name },
      subjects: [subjectOf(grant)],
    };
    return [...(missing === undefined ? [objectOf(role)] : []), objectOf(binding)];
  });

const subjectOf = ({ user, group, serviceAccount = '' }: Grant): object => {
  if (user !== undefined && user !== '') return { kind: 'User', name: user };
  if (group !== undefined && group !== '') return { kind: 'Group', name: group };
  const [namespace, name] = serviceAccount.split('/');
  return { kind: 'ServiceAccount', namespace, name };
};
