/**
 * The modes in which one identity may act as another, in the order in which they are tried. A
 * constrained one asks twice: may the caller do this request in this mode (`impersonate-on:MODE:VERB`),
 * and may it be this identity (`impersonate:MODE`). The classic one asks the second alone, as ever.
 */
import { splitServiceAccountUsername, nodeNameOfUsername } from '../formats/system-usernames.ts';
import { authenticationGroup, nodeNameKey } from '../model/api-domain.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { Clock } from '../ports/clock.ts';
import type { Digest } from '../ports/digest.ts';
import { impersonationCache, impersonationKey, userData } from './impersonation-cache.ts';
import {
  type Authorize,
  type AuthorizationAttributes,
  checkFields,
  type Denial,
} from './impersonation-checks.ts';

/** The names of the constrained modes, in the order in which they are tried. */
export const constrainedModes = [
  'associated-node',
  'arbitrary-node',
  'serviceaccount',
  'user-info',
] as const;

export type ModeName = (typeof constrainedModes)[number] | 'legacy';

export interface ImpersonationAttempt {
  readonly requested: UserInfo;
  readonly requestor: UserInfo;
  /** The request that is to be made under the other name. */
  readonly request: AuthorizationAttributes;
  /**
   * What else tells two requests apart (path, selectors): a remembered answer holds for this only.
   * `undefined` where it is not understood: then nothing is remembered.
   */
  readonly scope: string | undefined;
  /** Asks under the name of the caller. */
  readonly authorize: Authorize;
}

export interface Mode {
  readonly name: ModeName;
  /** `undefined` where the mode is not for this question at all. */
  check(attempt: ImpersonationAttempt): Promise<UserInfo | Denial | undefined>;
}

export interface ModeSettings {
  readonly clock: Clock;
  readonly digest: Pick<Digest, 'sha256Hex'>;
  /** `k8s.io`: whose names groups and extra keys carry. */
  readonly domain: string;
}

/** Every mode, in the order in which they are tried. */
export const impersonationModes = (settings: ModeSettings): readonly Mode[] => [
  ...constrainedModes.map((name) => constrainedMode(name, settings)),
  classicMode({ domain: settings.domain, uidLast: false }),
];

/** `uidLast`: as the filter of releases before the constrained modes. */
export const classicMode = ({
  domain,
  uidLast,
}: Pick<ModeSettings, 'domain'> & { readonly uidLast: boolean }): Mode => ({
  name: 'legacy',
  check: ({ requested: wanted, authorize }) =>
    checkFields(wanted, {
      verb: 'impersonate',
      isConstrained: false,
      authenticationGroup: authenticationGroup(domain),
      uidLast,
      authorize,
    }),
});

const constrainedMode = (
  name: (typeof constrainedModes)[number],
  { clock, digest, domain }: ModeSettings,
): Mode => {
  // The outer one remembers a request, the inner one an identity for whatever request.
  const requestCache = impersonationCache(clock);
  const userCache = impersonationCache(clock);
  const fields = {
    verb: `impersonate:${name}`,
    isConstrained: true,
    authenticationGroup: authenticationGroup(domain),
    uidLast: false,
  };
  return {
    name,
    async check(attempt) {
      // First of all: what is remembered holds only for those whom the mode is for.
      if (!appliesTo(name, attempt, domain)) return undefined;
      const {
        requested: wanted,
        requestor,
        request,
        scope,
        authorize,
      } = name === 'associated-node' ? withoutNodeName(attempt) : attempt;
      const withRequestedName = (user: UserInfo): UserInfo => ({
        ...user,
        username: attempt.requested.username,
      });
      const requestKey =
        scope === undefined
          ? undefined
          : impersonationKey(digest, requestor, [userData(wanted), request, scope]);
      const cachedForRequest = requestKey === undefined ? undefined : requestCache.get(requestKey);
      if (cachedForRequest !== undefined) return withRequestedName(cachedForRequest);
      const denial = await authorize(impersonateOnAttributes(name, request));
      if (denial !== undefined) return denial;
      const userKey = impersonationKey(digest, requestor, [userData(wanted)]);
      const cachedForUser = userCache.get(userKey);
      const checkedUser =
        cachedForUser ?? (await checkFields(attempt.requested, { ...fields, authorize }));
      if ('kind' in checkedUser) return checkedUser;
      if (cachedForUser === undefined) userCache.set(userKey, checkedUser);
      if (requestKey !== undefined) requestCache.set(requestKey, checkedUser);
      return withRequestedName(checkedUser);
    },
  };
};

const appliesTo = (
  name: ModeName,
  { requested: wanted, requestor }: ImpersonationAttempt,
  domain: string,
): boolean => {
  const node = nodeNameOfUsername(wanted.username);
  const account = splitServiceAccountUsername(wanted.username);
  if (name === 'user-info') return node === undefined && account === undefined;
  if (wanted.uid !== '' || wanted.groups.length > 0 || wanted.extra.size > 0) return false;
  if (name === 'serviceaccount') return account !== undefined;
  if (name === 'arbitrary-node') return node !== undefined;
  const nodeNames = requestor.extra.get(nodeNameKey(domain)) ?? [];
  const isOwnNode = nodeNames.length === 1 && nodeNames[0] === node;
  return (
    node !== undefined && splitServiceAccountUsername(requestor.username) !== undefined && isOwnNode
  );
};

/**
 * An account may be the node that it runs on, whichever that is: so neither what is asked nor what is
 * remembered names the node, and of the caller's extra values the keys alone count.
 */
const withoutNodeName = (attempt: ImpersonationAttempt): ImpersonationAttempt => {
  const { requested: wanted, requestor, authorize } = attempt;
  const keys = [...requestor.extra.keys()].sort();
  return {
    ...attempt,
    requested: { ...wanted, username: 'system:node:*' },
    requestor: { ...requestor, extra: new Map([['associated-node-keys', keys]]) },
    authorize: (attributes) => authorize(withAnyNodeName(attributes)),
  };
};

const withAnyNodeName = (attributes: AuthorizationAttributes): AuthorizationAttributes =>
  attributes.resource?.verb === 'impersonate:associated-node'
    ? { resource: { ...attributes.resource, name: '*' } }
    : attributes;

const impersonateOnAttributes = (
  name: ModeName,
  { resource, nonResource }: AuthorizationAttributes,
): AuthorizationAttributes => {
  const prefixed = (verb: string) => `impersonate-on:${name}:${verb}`;
  if (resource !== undefined) return { resource: { ...resource, verb: prefixed(resource.verb) } };
  return nonResource === undefined
    ? {}
    : { nonResource: { ...nonResource, verb: prefixed(nonResource.verb) } };
};
