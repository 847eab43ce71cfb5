/**
 * Writes one line of the decision log: the request, the decision and the graph, without secrets.
 */

import type { ClaimRecord } from '../../authenticators/jwt/claim-record.ts';
import type { Decision } from '../../model/decision.ts';
import type { AuthenticationRequest } from '../../model/request.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Log } from '../../ports/log.ts';
import { type DecisionLogOptions, decisionLogEntry, mask } from '../../runtime/decision-log.ts';

/** Details collected while answering; absent if the request did not get that far. */
export interface AuditDetails {
  /** The decision of a TokenReview about the token in it. */
  reviewed?: Decision;
  /** The reviewed token; only set if claims are logged, and never written. */
  reviewedToken?: AuthenticationRequest['token'];
  /** Set before anything is done as the impersonated user. */
  impersonation?: ImpersonationRecord;
  authorization?: AuthorizationRecord;
  /** Audit annotations of the request, in addition to those of the credential. */
  annotations?: ReadonlyMap<string, string>;
  /** Audit annotations of an issued token, without the token. */
  issued?: ReadonlyMap<string, string>;
}

export interface DecisionRecord extends Readonly<AuditDetails> {
  /** The value of the Audit-Id response header. */
  readonly auditId: string;
  readonly method: string;
  /** The path without the query, which may contain tokens. */
  readonly path: string;
  /** The verb that the authorizer sees: `create`, `get`. */
  readonly verb: string;
  readonly decision: Decision;
  /** The claims of the caller's token and of the reviewed token, if they are logged. */
  readonly claims: ClaimRecord | undefined;
  readonly reviewedClaims: ClaimRecord | undefined;
  /** The kinds of credentials in a request that was not authenticated. */
  readonly attempted: readonly string[];
  readonly graphHash: string;
  readonly status: number;
  /** The error message in the response. */
  readonly problem: string | undefined;
  readonly latencyMs: number;
}

export interface AuthorizationRecord {
  readonly decision: 'allow' | 'forbid';
  /** The binding and the role that allowed the request; empty if there is none. */
  readonly reason: string;
}

/** The impersonated user of a request, allowed or denied. */
export interface ImpersonationRecord {
  readonly decision: 'allowed' | 'denied';
  readonly user: UserInfo;
  /** The verb that allowed it; empty for the unconstrained permission. */
  readonly constraint: string;
}

/**
 * Writes one line. Groups and extra values are personal data and are written only if enabled by
 * flags.
 */
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
    ...claimFields(record.claims),
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(record.attempted.length === 0 ? {} : { attempted: record.attempted }),
    ...(record.authorization === undefined
      ? {}
      : { access: accessEntry(record.authorization, shown) }),
    ...(record.reviewed === undefined
      ? {}
      : {
          reviewed: {
            ...decisionLogEntry(record.reviewed, shown),
            ...claimFields(record.reviewedClaims),
          },
        }),
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
 * Returns logged claims as log fields. They contain no secrets, and names such as `token` are names
 * of claims, so the log writes them as they are.
 */
const claimFields = (record: ClaimRecord | undefined): Readonly<Record<string, unknown>> => {
  if (record === undefined || 'claimsOmitted' in record) return { ...record };
  return { ...record, claims: { toJSON: () => record.claims } };
};

/**
 * Returns the authorization as log fields. The reason names the subject of a binding, which is
 * often a group of the user. The field is not called `authorization` because logs never print a
 * header of that name.
 */
const accessEntry = (
  { decision, reason }: AuthorizationRecord,
  { groups }: DecisionLogOptions,
): Readonly<Record<string, unknown>> =>
  groups && reason !== '' ? { decision, reason: mask(reason) } : { decision };

/** Returns the impersonation as log fields. The caller chooses these names, so they are masked. */
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
