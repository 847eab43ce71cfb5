/**
 * Answers whether a caller may impersonate another user by the roles of given manifests, and who
 * the caller would then be.
 */
import { constrainedImpersonationGate, type FeatureGates } from '../../model/feature-gates.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { rbacAuthorizer } from '../../rbac/authorize.ts';
import { fileRoles, formatManifestProblem, type RoleFile } from '../../rbac/file-roles.ts';
import { readRoleManifests } from '../../rbac/role-manifests.ts';
import { rolePolicy } from '../../rbac/role-policy.ts';
import { forbidden } from '../../runtime/forbidden.ts';
import { type ActingAnswer, type AskedQuestion, whoamiAs } from './whoami-as.ts';

/** The answer whether the caller may impersonate the wanted identity, and by which role. */
export interface Acting extends ActingAnswer {
  readonly kind: 'answer';
  readonly caller: UserInfo;
  readonly wanted: UserInfo;
  /** The error message that a client would receive. */
  readonly refusal: string | undefined;
  /** Set if no manifest was given, so that only bootstrap roles apply. */
  readonly bare: boolean;
}

/** A manifest is invalid, so no manifest is used. */
export interface WrongRoles {
  readonly kind: 'problems';
  /** The problems: `roles.yaml:12:5: unknown field "rules[0].verb"`. */
  readonly problems: readonly string[];
}

/** The input of the decision, in addition to the two identities. */
export interface ActAsOptions {
  /** The role manifests, which apply in addition to the bootstrap roles. */
  readonly roles: readonly RoleFile[];
  readonly domain: string;
  readonly featureGates: FeatureGates | undefined;
}

/** Evaluates the server's own impersonation rules; problems are those of the role manifests. */
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

/** Builds the wanted user as the impersonation headers would: extra keys are in lower case. */
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

/** Formats a permission check: `impersonate users "jane"`. */
export const questionText = ({ resource, nonResource }: AskedQuestion['attributes']): string => {
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
 * Returns the usable manifests of a folder: a file with other content or with an error is left out
 * as a whole, and its first problem is reported.
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
