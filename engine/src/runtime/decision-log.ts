/**
 * The log entry of a decision: user, reason, authenticator. Groups and extra values are included on
 * request only, tokens never.
 */
import type { Decision, Remarks } from '../model/decision.ts';

export interface DecisionLogOptions {
  readonly groups: boolean;
  readonly extra: boolean;
}

export interface DecisionLogEntry {
  readonly decision: Decision['kind'];
  readonly module?: string;
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: readonly (readonly [string, readonly string[]])[];
  readonly audiences?: readonly string[];
  readonly annotations?: readonly (readonly [string, string])[];
  readonly code?: string;
  readonly reason?: string;
  readonly at?: string;
}

/** The maximum length of a reason, which may contain the invalid key set of an issuer. */
const maxReasonLength = 1024;

/** Creates the fields of a log line. */
export const decisionLogEntry = (
  decision: Decision,
  options: DecisionLogOptions,
): DecisionLogEntry => {
  switch (decision.kind) {
    case 'noOpinion':
      return { decision: 'noOpinion' };
    case 'rejected': {
      const { by, reason } = decision;
      return {
        decision: decision.kind,
        ...(by === undefined ? {} : { module: by }),
        code: reason.code,
        reason: mask(reason.message),
        ...(reason.at === undefined ? {} : { at: reason.at }),
      };
    }
    case 'accepted': {
      const { user, audiences, by } = decision;
      return {
        decision: decision.kind,
        module: by,
        username: user.username,
        ...(user.uid === '' ? {} : { uid: user.uid }),
        ...(options.groups ? { groups: user.groups } : {}),
        ...(options.extra ? { extra: [...user.extra] } : {}),
        ...(audiences.length === 0 ? {} : { audiences }),
        ...annotationsOf(decision.remarks),
      };
    }
  }
};

/** Returns the audit annotations: a token is stale, for example, or has no audience. */
const annotationsOf = (remarks: Remarks | undefined): Pick<DecisionLogEntry, 'annotations'> =>
  remarks === undefined || remarks.annotations.size === 0
    ? {}
    : { annotations: [...remarks.annotations].map(([key, value]) => [key, mask(value)] as const) };

/** Redacts strings that look like tokens and shortens long ones. */
export const mask = (text: string): string => {
  const masked = text.replace(/eyJ[\w-]*(?:\.[\w-]*)*/g, (candidate) =>
    candidate.includes('.') ? '[redacted]' : candidate,
  );
  return masked.length <= maxReasonLength ? masked : `${masked.slice(0, maxReasonLength)}…`;
};
