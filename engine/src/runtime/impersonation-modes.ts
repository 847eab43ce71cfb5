/**
 * The impersonation modes in the order in which they are tried. A constrained mode checks two
 * permissions: for the request in this mode (`impersonate-on:MODE:VERB`) and for the user
 * (`impersonate:MODE`). The legacy mode checks the second one only.
 */
import { nodeNameOfUsername, splitServiceAccountUsername } from '../formats/system-usernames.ts';
import { authenticationGroup, nodeNameKey } from '../model/api-domain.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { Clock } from '../ports/clock.ts';
import type { Digest } from '../ports/digest.ts';
import { impersonationCache, impersonationKey, userData } from './impersonation-cache.ts';
import {
  type AuthorizationAttributes,
  type Authorize,
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
  /** The request to make as the other user. */
  readonly request: AuthorizationAttributes;
  /**
   * Distinguishes requests further (path, selectors); cached results apply to an equal scope only.
   * `undefined` disables caching.
   */
  readonly scope: string | undefined;
  /** Authorizes attributes for the caller. */
  readonly authorize: Authorize;
}

export interface Mode {
  readonly name: ModeName;
  /** Checks an attempt; returns `undefined` if the mode does not apply to it. */
  check(attempt: ImpersonationAttempt): Promise<UserInfo | Denial | undefined>;
}

export interface ModeSettings {
  readonly clock: Clock;
  readonly digest: Pick<Digest, 'sha256Hex'>;
  /** The API domain of groups and extra keys: `k8s.io`. */
  readonly domain: string;
}

/** Returns all modes in the order in which they are tried. */
export const impersonationModes = (settings: ModeSettings): readonly Mode[] => [
  ...constrainedModes.map((name) => constrainedMode(name, settings)),
  classicMode({ domain: settings.domain, uidLast: false }),
];

/** Creates the legacy mode. `uidLast` is the order of releases without constrained modes. */
export const classicMode = ({
  domain,
  uidLast,
}: Pick<ModeSettings, 'domain'> & { readonly uidLast: boolean }): Mode => ({
  name: 'legacy',
  check: ({ requested, authorize }) =>
    checkFields(requested, {
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
  // One cache is by user and request, the other one by user only.
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
      // Checked before the caches, because cached results apply only to users that the mode is for.
      if (!appliesTo(name, attempt, domain)) return undefined;
      const { requested, requestor, request, scope, authorize } =
        name === 'associated-node' ? withoutNodeName(attempt) : attempt;
      const withRequestedName = (user: UserInfo): UserInfo => ({
        ...user,
        username: attempt.requested.username,
      });
      const requestKey =
        scope === undefined
          ? undefined
          : impersonationKey(digest, requestor, [userData(requested), request, scope]);
      const cachedForRequest = requestKey === undefined ? undefined : requestCache.get(requestKey);
      if (cachedForRequest !== undefined) return withRequestedName(cachedForRequest);
      const denial = await authorize(impersonateOnAttributes(name, request));
      if (denial !== undefined) return denial;
      const userKey = impersonationKey(digest, requestor, [userData(requested)]);
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
  { requested, requestor }: ImpersonationAttempt,
  domain: string,
): boolean => {
  const node = nodeNameOfUsername(requested.username);
  const account = splitServiceAccountUsername(requested.username);
  if (name === 'user-info') return node === undefined && account === undefined;
  if (requested.uid !== '' || requested.groups.length > 0 || requested.extra.size > 0) return false;
  if (name === 'serviceaccount') return account !== undefined;
  if (name === 'arbitrary-node') return node !== undefined;
  const nodeNames = requestor.extra.get(nodeNameKey(domain)) ?? [];
  const isOwnNode = nodeNames.length === 1 && nodeNames[0] === node;
  return (
    node !== undefined && splitServiceAccountUsername(requestor.username) !== undefined && isOwnNode
  );
};

/**
 * Replaces the node's name: a service account may impersonate the node it runs on, whichever that
 * is. Neither the attributes nor the cache key contain the name, and of the caller's extra values
 * only the keys are used.
 */
const withoutNodeName = (attempt: ImpersonationAttempt): ImpersonationAttempt => {
  const { requested, requestor, authorize } = attempt;
  const keys = [...requestor.extra.keys()].sort();
  return {
    ...attempt,
    requested: { ...requested, username: 'system:node:*' },
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
