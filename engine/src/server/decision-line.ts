/** One line of the decision log: what was asked, what was decided, by which graph. Never a secret. */
import type { Decision } from '../model/decision.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { Log } from '../ports/log.ts';
import { type DecisionLogOptions, decisionLogEntry, mask } from '../runtime/decision-log.ts';

export interface DecisionRecord {
  /** The same as the answer's Audit-Id. */
  readonly auditId: string;
  readonly method: string;
  /** Without the query, in which people put tokens. */
  readonly path: string;
  readonly decision: Decision;
  /** What a TokenReview told of the token in it. */
  readonly reviewed: Decision | undefined;
  readonly impersonation: ImpersonationRecord | undefined;
  readonly graphHash: string;
  readonly status: number;
  readonly latencyMs: number;
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
  log.event('info', 'decision', {
    requestId: record.auditId,
    method: mask(record.method),
    path: mask(record.path),
    status: record.status,
    ...decisionLogEntry(record.decision, shown),
    ...(record.reviewed === undefined
      ? {}
      : { reviewed: decisionLogEntry(record.reviewed, shown) }),
    ...(record.impersonation === undefined
      ? {}
      : { impersonation: impersonationEntry(record.impersonation, shown) }),
    graph: record.graphHash,
    latencyMs: Math.round(record.latencyMs * 1000) / 1000,
  });
};

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
