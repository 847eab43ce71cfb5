/** One line of the decision log: what was asked, what was decided, by which graph. Never a secret. */
import type { Decision } from '../../model/decision.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Log } from '../../ports/log.ts';
import { type DecisionLogOptions, decisionLogEntry, mask } from '../../runtime/decision-log.ts';

export interface DecisionRecord {
  /** The same as the answer's Audit-Id. */
  readonly auditId: string;
  readonly method: string;
  /** Without the query, in which people put tokens. */
  readonly path: string;
  /** What the request is for the authorizer: `create`, `get`. */
  readonly verb: string;
  readonly decision: Decision;
  /** Kinds of credentials that a request brought that nobody accepted. */
  readonly attempted: readonly string[];
  /** Absent where nobody was asked. */
  readonly authorization: AuthorizationRecord | undefined;
  /** What a TokenReview told of the token in it. */
  readonly reviewed: Decision | undefined;
  readonly impersonation: ImpersonationRecord | undefined;
  /** What is noted about the request, beside what is noted about its credential. */
  readonly annotations: ReadonlyMap<string, string> | undefined;
  /** What is noted about a token that was asked for; never the token. */
  readonly issued: ReadonlyMap<string, string> | undefined;
  readonly graphHash: string;
  readonly status: number;
  /** What a refused client was told. */
  readonly problem: string | undefined;
  readonly latencyMs: number;
}

export interface AuthorizationRecord {
  readonly decision: 'allow' | 'forbid';
  /** Which binding of which role; empty where none was needed or found. */
  readonly reason: string;
}

/** The second identity of a request: who the caller acted as, or wanted to. */
export interface ImpersonationRecord {
  readonly decision: 'allowed' | 'denied';
  readonly user: UserInfo;
  /** The verb that allowed it; empty for the classic permission. */
  readonly constraint: string;
}

/** Groups and extra are personal data and stand there only when asked for. */
export const writeDecision = (
  log: Log,
  record: DecisionRecord,
  shown: DecisionLogOptions,
): void => {
  const entry = decisionLogEntry(record.decision, shown);
  const annotations = [...(entry.annotations ?? []), ...(record.annotations ?? [])];
  log.event('info', 'decision', {
    requestId: record.auditId,
    method: mask(record.method),
    path: mask(record.path),
    verb: mask(record.verb),
    status: record.status,
    ...entry,
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(record.attempted.length === 0 ? {} : { attempted: record.attempted }),
    ...(record.authorization === undefined
      ? {}
      : { access: accessEntry(record.authorization, shown) }),
    ...(record.reviewed === undefined
      ? {}
      : { reviewed: decisionLogEntry(record.reviewed, shown) }),
    ...(record.impersonation === undefined
      ? {}
      : { impersonation: impersonationEntry(record.impersonation, shown) }),
    ...(record.issued === undefined || record.issued.size === 0
      ? {}
      : { issued: [...record.issued].map(([key, value]) => [key, mask(value)]) }),
    ...(record.problem === undefined ? {} : { problem: mask(record.problem) }),
    graph: record.graphHash,
    latencyMs: Math.round(record.latencyMs * 1000) / 1000,
  });
};

/**
 * A reason names the subject of a binding, which is often a group of the user. The field is not named
 * for the header field, whose name no log writes out.
 */
const accessEntry = (
  { decision, reason }: AuthorizationRecord,
  { groups }: DecisionLogOptions,
): Readonly<Record<string, unknown>> =>
  groups && reason !== '' ? { decision, reason: mask(reason) } : { decision };

/** A caller chooses these names, so they are masked like everything that a caller sends. */
const impersonationEntry = (
  { decision, user, constraint }: ImpersonationRecord,
  shown: DecisionLogOptions,
): Readonly<Record<string, unknown>> => ({
  decision,
  username: mask(user.username),
  ...(user.uid === '' ? {} : { uid: mask(user.uid) }),
  ...(shown.groups ? { groups: user.groups.map(mask) } : {}),
  ...(shown.extra
    ? { extra: [...user.extra].map(([key, values]) => [mask(key), values.map(mask)]) }
    : {}),
  ...(constraint === '' ? {} : { constraint }),
});
