/**
 * Request -> decision: the union of the modules and its rules. Any acceptance wins; without one, a
 * rejection is final and never becomes anonymous; without either, the anonymous module is asked.
 */
import type { Waiter } from '../fairness/waiter.ts';
import { type Decision, noOpinion } from '../model/decision.ts';
import type { AuthenticationRequest } from '../model/request.ts';
import type { TraceSink } from '../model/trace.ts';
import type { UserInfo } from '../model/user-info.ts';
import { unclaimedToken } from './rejections.ts';

/** The real server adds this group to everybody whom it knows. */
const authenticatedGroup = 'system:authenticated';
const unauthenticatedGroup = 'system:unauthenticated';
const anonymousName = 'system:anonymous';

/** The bearer layer: a token that nobody has an opinion about is refused. */
export const rejectUnclaimed = (decision: Decision): Decision =>
  decision.kind === 'noOpinion'
    ? { kind: 'rejected', by: 'jwt', reason: unclaimedToken }
    : decision;

/**
 * Audiences of a module that knows none: it stands for the server's own. Where the request asks for
 * others only, the module is not asked (`undefined`).
 */
export const implicitAudiences = (
  apiAudiences: readonly string[],
  requested: readonly string[],
): readonly string[] | undefined => {
  if (requested.length === 0) return [];
  const shared = requested.filter((audience) => apiAudiences.includes(audience));
  return shared.length === 0 ? undefined : shared;
};

/** Gives an accepted decision its audiences and its group. */
export const addDefaults = (decision: Decision, audiences: readonly string[]): Decision => {
  if (decision.kind !== 'accepted') return decision;
  const { kind, by, expiresAtMs, remarks } = decision;
  const user = addAuthenticatedGroup(decision.user);
  if (remarks !== undefined) return { ...decision, user, audiences };
  return expiresAtMs === undefined
    ? { kind, user, audiences, by }
    : { kind, user, audiences, by, expiresAtMs };
};

/** Once, and never for the anonymous identity. */
export const addAuthenticatedGroup = (user: UserInfo): UserInfo => {
  const { username, uid, groups, extra } = user;
  const hasGroup = groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup);
  if (username === anonymousName || hasGroup) return user;
  return { username, uid, groups: [...groups, authenticatedGroup], extra };
};

type Rejected = Extract<Decision, { kind: 'rejected' }>;

/** One of several that are asked in turn. */
export type AuthenticatorFunction = (
  request: AuthenticationRequest,
  waiter: Waiter,
  trace?: TraceSink,
) => Decision | Promise<Decision>;

/**
 * Asks one after the other until one accepts; errors are collected and do not stop it. Waits only
 * where an answer has to be waited for.
 */
export const firstAccepted = (
  authenticators: readonly AuthenticatorFunction[],
  ...args: Parameters<AuthenticatorFunction>
): Decision | Promise<Decision> => {
  const decisions: Decision[] = [];
  for (const [index, authenticate] of authenticators.entries()) {
    const decision = authenticate(...args);
    if (decision instanceof Promise) {
      return continueWith(authenticators.slice(index + 1), args, { decisions, pending: decision });
    }
    if (decision.kind === 'accepted') return decision;
    decisions.push(decision);
  }
  return combineDecisions(decisions);
};

const continueWith = async (
  rest: readonly AuthenticatorFunction[],
  args: Parameters<AuthenticatorFunction>,
  progress: { readonly decisions: Decision[]; readonly pending: Promise<Decision> },
): Promise<Decision> => {
  const { decisions } = progress;
  decisions.push(await progress.pending);
  for (const authenticate of rest) {
    if (decisions.at(-1)?.kind === 'accepted') break;
    decisions.push(await authenticate(...args));
  }
  return combineDecisions(decisions);
};

/**
 * The union of what several modules decided, in their order: the first acceptance, else all
 * rejections as one, else no opinion.
 */
export const combineDecisions = (decisions: readonly Decision[]): Decision => {
  const rejections: Rejected[] = [];
  for (const decision of decisions) {
    if (decision.kind === 'accepted') return decision;
    if (decision.kind === 'rejected') rejections.push(decision);
  }
  // A module that lacked the room to decide might have accepted.
  const first = rejections.find(({ reason }) => reason.overloaded) ?? rejections[0];
  if (first === undefined) return noOpinion;
  return rejections.length === 1 ? first : withMessages(first, rejections.flatMap(messagesOf));
};

/** A rejection with one more text in front of its own. */
export const prependMessage = (message: string, rejected: Rejected): Rejected =>
  withMessages(rejected, [message, ...messagesOf(rejected)]);

const messagesOf = ({ reason }: Rejected): readonly string[] => reason.messages ?? [reason.message];

const withMessages = (rejected: Rejected, all: readonly string[]): Rejected => {
  const messages = [...new Set(all)];
  const message = aggregateMessages(messages);
  if (message === rejected.reason.message) return rejected;
  return { ...rejected, reason: { ...rejected.reason, message, messages } };
};

/** Several errors as the real server prints them: `[e1, e2]`, repeated ones once. */
export const aggregateMessages = (messages: readonly string[]): string => {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
};
