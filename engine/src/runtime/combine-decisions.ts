/**
 * What unions of authenticators share: calling them in order, combining their decisions and error
 * messages, and adding default groups. The union that a request goes through is in
 * `request-union.ts`.
 */
import type { Waiter } from '../fairness/waiter.ts';
import { type Decision, noOpinion } from '../model/decision.ts';
import { andThen, firstResult, type MaybePromise } from '../model/maybe-promise.ts';
import type { AuthenticationRequest } from '../model/request.ts';
import type { TraceSink } from '../model/trace.ts';
import type { UserInfo } from '../model/user-info.ts';
import { unclaimedToken } from './rejections.ts';

/** The group that kube-apiserver adds to every authenticated user. */
const authenticatedGroup = 'system:authenticated';
const unauthenticatedGroup = 'system:unauthenticated';
const anonymousName = 'system:anonymous';

/**
 * Rejects a bearer token on which no authenticator has an opinion. Most such tokens are JWTs of an
 * unknown issuer, so metrics and logs count them with the JWT authenticators.
 */
export const rejectUnclaimed = (decision: Decision): Decision =>
  decision.kind === 'noOpinion'
    ? { kind: 'rejected', by: 'jwt', reason: unclaimedToken }
    : decision;

/**
 * Returns the audiences of an audience-agnostic authenticator: the requested ones that the API has.
 * `undefined` if the request has others only; the authenticator is then skipped.
 */
export const implicitAudiences = (
  apiAudiences: readonly string[],
  requested: readonly string[],
): readonly string[] | undefined => {
  if (requested.length === 0) return [];
  const shared = requested.filter((audience) => apiAudiences.includes(audience));
  return shared.length === 0 ? undefined : shared;
};

/** Adds the group `system:authenticated` to an accepted decision. */
export const addDefaultGroup = (decision: Decision): Decision => {
  if (decision.kind !== 'accepted') return decision;
  const { kind, by, audiences, expiresAtMs, remarks } = decision;
  const user = addAuthenticatedGroup(decision.user);
  if (remarks !== undefined) return { ...decision, user };
  return expiresAtMs === undefined
    ? { kind, user, audiences, by }
    : { kind, user, audiences, by, expiresAtMs };
};

/** Adds the group once, but not to the anonymous user. */
export const addAuthenticatedGroup = (user: UserInfo): UserInfo => {
  const { username, uid, groups, extra } = user;
  const hasGroup = groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup);
  if (username === anonymousName || hasGroup) return user;
  return { username, uid, groups: [...groups, authenticatedGroup], extra };
};

type Rejected = Extract<Decision, { kind: 'rejected' }>;

/** One authenticator of a union. */
export type AuthenticatorFunction = (
  request: AuthenticationRequest,
  waiter: Waiter,
  trace?: TraceSink,
) => MaybePromise<Decision>;

/**
 * Calls the authenticators in order until one accepts the request; rejections are collected.
 * Returns a promise only if an authenticator does.
 */
export const firstAccepted = (
  authenticators: readonly AuthenticatorFunction[],
  ...args: Parameters<AuthenticatorFunction>
): MaybePromise<Decision> => {
  const others: Decision[] = [];
  const accepted = firstResult(authenticators, (authenticate) =>
    andThen(authenticate(...args), (decision) => {
      if (decision.kind === 'accepted') return decision;
      others.push(decision);
      return undefined;
    }),
  );
  return andThen(accepted, (decision) => decision ?? combineDecisions(others));
};

/**
 * Combines the decisions of several authenticators: the first acceptance, otherwise all rejections
 * as one, otherwise no opinion.
 */
export const combineDecisions = (decisions: readonly Decision[]): Decision => {
  const rejections: Rejected[] = [];
  for (const decision of decisions) {
    if (decision.kind === 'accepted') return decision;
    if (decision.kind === 'rejected') rejections.push(decision);
  }
  // Preferred, because an overloaded authenticator might have accepted the request.
  const first = rejections.find(({ reason }) => reason.overloaded) ?? rejections[0];
  if (first === undefined) return noOpinion;
  return rejections.length === 1 ? first : withMessages(first, rejections.flatMap(messagesOf));
};

/** Puts a message before those of a rejection. */
export const prependMessage = (message: string, rejected: Rejected): Rejected =>
  withMessages(rejected, [message, ...messagesOf(rejected)]);

const messagesOf = ({ reason }: Rejected): readonly string[] => reason.messages ?? [reason.message];

const withMessages = (rejected: Rejected, all: readonly string[]): Rejected => {
  const messages = [...new Set(all)];
  const message = aggregateMessages(messages);
  if (message === rejected.reason.message) return rejected;
  return { ...rejected, reason: { ...rejected.reason, message, messages } };
};

/** Formats several errors as kube-apiserver's aggregate does: `[e1, e2]`, without duplicates. */
export const aggregateMessages = (messages: readonly string[]): string => {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
};
