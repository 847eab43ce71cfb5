/** May a caller act as another, by the roles of some manifests, and who would they be then? */
import { constrainedImpersonationGate, type FeatureGates } from '../../model/feature-gates.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { rbacAuthorizer } from '../../rbac/authorize.ts';
import { fileRoles, formatManifestProblem, type RoleFile } from '../../rbac/file-roles.ts';
import { readRoleManifests } from '../../rbac/role-manifests.ts';
import { rolePolicy } from '../../rbac/role-policy.ts';
import { forbidden } from '../../runtime/forbidden.ts';
import { type ActingAnswer, type AskedQuestion, whoamiAs } from './whoami-as.ts';

/** May the caller act as the wanted identity, and by which role? */
export interface Acting extends ActingAnswer {
  readonly kind: 'answer';
  readonly caller: UserInfo;
  readonly wanted: UserInfo;
  /** The refusal that a client would read. */
  readonly refusal: string | undefined;
  /** No manifest was given: only bootstrap roles hold. */
  readonly bare: boolean;
}

/** A manifest is wrong, so nothing of any holds. */
export interface WrongRoles {
  readonly kind: 'problems';
  /** `roles.yaml:12:5: unknown field "rules[0].verb"` */
  readonly problems: readonly string[];
}

/** What decides beside the two identities. */
export interface ActAsOptions {
  /** They hold beside the bootstrap roles. */
  readonly roles: readonly RoleFile[];
  readonly domain: string;
  readonly featureGates: FeatureGates | undefined;
}

/** Asks the server's own rules of impersonation; problems are those of the role manifests. */
export const actAs = async (
  caller: UserInfo,
  wanted: UserInfo,
  { roles: files, domain, featureGates }: ActAsOptions,
): Promise<Acting | WrongRoles> => {
  const roles = fileRoles(files, { bootstrapRolesFrom: 'files', domain });
  if (roles.kind === 'problems') {
    return { kind: 'problems', problems: roles.problems.map(formatManifestProblem) };
  }
  const answer = await whoamiAs(caller, wanted, {
    authorizer: rbacAuthorizer(rolePolicy([roles.view], { domain })),
    constrained: featureGates?.get(constrainedImpersonationGate) ?? false,
    domain,
  });
  const { outcome } = answer;
  const refusal =
    outcome.kind === 'denied'
      ? forbidden({ user: caller, ...outcome.attributes }, outcome.reason).message
      : undefined;
  return { ...answer, kind: 'answer', caller, wanted, refusal, bare: files.length === 0 };
};

/** Whom somebody wants to be, as the header fields bring it to the server: keys in lower case. */
export const wantedUser = ({
  username,
  uid = '',
  groups = [],
  extra = [],
}: {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: readonly { readonly key: string; readonly values: readonly string[] }[];
}): UserInfo => {
  const byKey = Map.groupBy(extra, ({ key }) => key.toLowerCase());
  return {
    username,
    uid,
    groups,
    extra: new Map([...byKey].map(([key, some]) => [key, some.flatMap(({ values }) => values)])),
  };
};

/** `impersonate users "jane"` */
export const questionText = ({ resource, nonResource }: AskedQuestion['asked']): string => {
  if (resource === undefined) return `${nonResource?.verb} ${nonResource?.path}`;
  const { verb, group, subresource = '', name = '', namespace = '' } = resource;
  const kind = subresource === '' ? resource.resource : `${resource.resource}/${subresource}`;
  return [
    verb,
    group === '' ? kind : `${kind}.${group}`,
    ...(name === '' ? [] : [JSON.stringify(name)]),
    ...(namespace === '' ? [] : [`in ${namespace}`]),
  ].join(' ');
};

/**
 * The manifests of a folder that can be used: a file that holds something else, or is wrong, is left
 * out as a whole, and the first problem of each is told.
 */
export const usableRoles = (
  files: readonly RoleFile[],
): { readonly usable: readonly RoleFile[]; readonly problems: readonly string[] } => {
  const usable: RoleFile[] = [];
  const problems: string[] = [];
  for (const file of files) {
    const { objects, problems: found } = readRoleManifests(file.name, file.text);
    const [first] = found;
    if (first !== undefined) problems.push(formatManifestProblem(first));
    else if (objects.length > 0) usable.push(file);
  }
  return { usable, problems };
};
