/**
 * The modes in which one identity may act as another, in the order in which they are tried. A
 * constrained one asks twice: may the caller do this request in this mode (`impersonate-on:MODE:VERB`),
 * and may it be this identity (`impersonate:MODE`). The classic one asks the second alone, as ever.
 */
import { accountOfUsername, nodeOfUsername } from '../formats/account-name.ts';
import { authenticationGroup, nodeNameKey } from '../model/api-domain.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { Clock } from '../ports/clock.ts';
import type { Digest } from '../ports/digest.ts';
import { allowedCache, impersonationKey, plain } from './impersonation-cache.ts';
import { type Ask, type Asked, checkFields, type Denial } from './impersonation-checks.ts';

/** The names of the constrained modes, in the order in which they are tried. */
export const constrainedModes = [
  'associated-node',
  'arbitrary-node',
  'serviceaccount',
  'user-info',
] as const;

export type ModeName = (typeof constrainedModes)[number] | 'legacy';

export interface ImpersonationQuestion {
  readonly wanted: UserInfo;
  readonly requestor: UserInfo;
  /** The request that is to be made under the other name. */
  readonly request: Asked;
  /**
   * What else tells two requests apart (path, selectors): a remembered answer holds for this only.
   * `undefined` where it is not understood: then nothing is remembered.
   */
  readonly scope: string | undefined;
  /** Asks under the name of the caller. */
  readonly ask: Ask;
}

export interface Mode {
  readonly name: ModeName;
  /** `undefined` where the mode is not for this question at all. */
  check(question: ImpersonationQuestion): Promise<UserInfo | Denial | undefined>;
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
  check: ({ wanted, ask }) =>
    checkFields(wanted, {
      verb: 'impersonate',
      isConstrained: false,
      authenticationGroup: authenticationGroup(domain),
      uidLast,
      ask,
    }),
});

const constrainedMode = (
  name: (typeof constrainedModes)[number],
  { clock, digest, domain }: ModeSettings,
): Mode => {
  // The outer one remembers a request, the inner one an identity for whatever request.
  const outer = allowedCache(clock);
  const inner = allowedCache(clock);
  const fields = {
    verb: `impersonate:${name}`,
    isConstrained: true,
    authenticationGroup: authenticationGroup(domain),
    uidLast: false,
  };
  return {
    name,
    async check(question) {
      // First of all: what is remembered holds only for those whom the mode is for.
      if (!fits(name, question, domain)) return undefined;
      const { wanted, requestor, request, scope, ask } =
        name === 'associated-node' ? withoutNode(question) : question;
      const named = (user: UserInfo): UserInfo => ({ ...user, username: question.wanted.username });
      const outerKey =
        scope === undefined
          ? undefined
          : impersonationKey(digest, requestor, [plain(wanted), request, scope]);
      const done = outerKey === undefined ? undefined : outer.get(outerKey);
      if (done !== undefined) return named(done);
      const denial = await ask(onBehalf(name, request));
      if (denial !== undefined) return denial;
      const innerKey = impersonationKey(digest, requestor, [plain(wanted)]);
      const known = inner.get(innerKey);
      const checked = known ?? (await checkFields(question.wanted, { ...fields, ask }));
      if ('kind' in checked) return checked;
      if (known === undefined) inner.set(innerKey, checked);
      if (outerKey !== undefined) outer.set(outerKey, checked);
      return named(checked);
    },
  };
};

const fits = (
  name: ModeName,
  { wanted, requestor }: ImpersonationQuestion,
  domain: string,
): boolean => {
  const node = nodeOfUsername(wanted.username);
  const account = accountOfUsername(wanted.username);
  if (name === 'user-info') return node === undefined && account === undefined;
  if (wanted.uid !== '' || wanted.groups.length > 0 || wanted.extra.size > 0) return false;
  if (name === 'serviceaccount') return account !== undefined;
  if (name === 'arbitrary-node') return node !== undefined;
  const homes = requestor.extra.get(nodeNameKey(domain)) ?? [];
  const isAtHome = homes.length === 1 && homes[0] === node;
  return node !== undefined && accountOfUsername(requestor.username) !== undefined && isAtHome;
};

/**
 * An account may be the node that it runs on, whichever that is: so neither what is asked nor what is
 * remembered names the node, and of the caller's extra values the keys alone count.
 */
const withoutNode = (question: ImpersonationQuestion): ImpersonationQuestion => {
  const { wanted, requestor, ask } = question;
  const keys = [...requestor.extra.keys()].sort();
  return {
    ...question,
    wanted: { ...wanted, username: 'system:node:*' },
    requestor: { ...requestor, extra: new Map([['associated-node-keys', keys]]) },
    ask: (asked) => ask(ofAnyNode(asked)),
  };
};

const ofAnyNode = (asked: Asked): Asked =>
  asked.resource?.verb === 'impersonate:associated-node'
    ? { resource: { ...asked.resource, name: '*' } }
    : asked;

const onBehalf = (name: ModeName, { resource, nonResource }: Asked): Asked => {
  const prefixed = (verb: string) => `impersonate-on:${name}:${verb}`;
  if (resource !== undefined) return { resource: { ...resource, verb: prefixed(resource.verb) } };
  return nonResource === undefined
    ? {}
    : { nonResource: { ...nonResource, verb: prefixed(nonResource.verb) } };
};
