/** Converts a decision to the form of the recorded answers; empty values are left out. */
import type { Decision, Remarks } from '../../../engine/src/model/decision.ts';
import type { UserInfo } from '../../../engine/src/model/user-info.ts';

export interface DecisionAnswer {
  readonly outcome: 'accept' | 'no-opinion' | 'error';
  readonly user?: object;
  readonly audiences?: readonly string[];
  readonly error?: string;
}

export const decisionAnswer = (decision: Decision): DecisionAnswer => {
  switch (decision.kind) {
    case 'noOpinion':
      return { outcome: 'no-opinion' };
    case 'rejected':
      return { outcome: 'error', error: decision.reason.message };
    case 'accepted':
      return {
        outcome: 'accept',
        user: userAnswer(decision.user),
        ...(decision.audiences.length === 0 ? {} : { audiences: decision.audiences }),
      };
  }
};

/** Returns the warnings and annotations of an accepted decision. */
export const remarksAnswer = (remarks: Remarks | undefined): object => ({
  ...(remarks === undefined || remarks.warnings.length === 0 ? {} : { warnings: remarks.warnings }),
  ...(remarks === undefined || remarks.annotations.size === 0
    ? {}
    : { auditAnnotations: Object.fromEntries(remarks.annotations) }),
});

const userAnswer = ({ username, uid, groups, extra }: UserInfo): object => ({
  username,
  ...(uid === '' ? {} : { uid }),
  ...(groups.length === 0 ? {} : { groups }),
  ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }),
});
