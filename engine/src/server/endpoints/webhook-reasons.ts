/**
 * Which denials say why to an API server that asks. It remembers a denial without a reason for two
 * minutes, and logs the reason of every other: so a token that can never be good is denied in
 * silence, and what a minute or a mended configuration would change is told.
 */
import type { Decision } from '../../model/decision.ts';
import { aggregateMessages } from '../../runtime/authenticate.ts';
import { mask } from '../../runtime/decision-log.ts';
import { unclaimedToken } from '../../runtime/rejections.ts';

export const webhookReasons = ['rules', 'all', 'none'] as const;

/** `rules`: all but those of broken tokens; `none`: those alone that pass by themselves. */
export type WebhookReasons = (typeof webhookReasons)[number];

/** The reason for the answer; empty where the denial may be remembered. */
export const reportedReason = (decision: Rejected, reasons: WebhookReasons): string =>
  reportedCategories(reasons).has(categoryOf(decision)) ? reasonText(decision) : '';

type Rejected = Extract<Decision, { kind: 'rejected' }>;

/** `broken`: no time and no change of ours will make this token good. */
type DenialCategory = 'permanent' | 'rule' | 'transient';

const brokenCodes = new Set([
  'AG5002',
  'AG5003',
  'AG5004',
  'AG5006',
  'AG5007',
  'AG5008',
  'AG5010',
  unclaimedToken.code,
  'AG5030',
  'AG5031',
  'AG5035',
]);

/** What the configuration says of a good token: another file, another answer. */
const ruleCodes = new Set([
  'AG5009',
  'AG5013',
  'AG5014',
  'AG5015',
  'AG5016',
  'AG5017',
  'AG5018',
  'AG5019',
  'AG5020',
  'AG5032',
  'AG5062',
]);

const categoryOf = ({ reason }: Rejected): DenialCategory => {
  // The code is that of the first of several modules.
  if (ownMessages(reason).length > 1) return 'transient';
  if (brokenCodes.has(reason.code)) return 'permanent';
  return ruleCodes.has(reason.code) ? 'rule' : 'transient';
};

/** What may pass is always told: a remembered denial would outlast its cause. */
const reportedCategories = (reasons: WebhookReasons): ReadonlySet<DenialCategory> => {
  switch (reasons) {
    case 'all':
      return new Set<DenialCategory>(['permanent', 'rule', 'transient']);
    case 'rules':
      return new Set<DenialCategory>(['rule', 'transient']);
    case 'none':
      return new Set<DenialCategory>(['transient']);
  }
};

const reasonText = ({ reason }: Rejected): string =>
  mask(`${aggregateMessages(ownMessages(reason))} (${reason.code})`);

/** Without the words that the asking server puts in front itself. */
const ownMessages = ({ message, messages = [message] }: Rejected['reason']): readonly string[] => {
  const own = messages.filter((text) => text !== unclaimedToken.message);
  return own.length === 0 ? [message] : own;
};
