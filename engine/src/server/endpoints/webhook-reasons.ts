/**
 * Selects the webhook denials that include `status.error`. kube-apiserver caches a denial without
 * an error for two minutes, and logs an error without caching. So permanent denials have no error,
 * and denials that time or another configuration could change have one.
 */
import type { Decision } from '../../model/decision.ts';
import { aggregateMessages } from '../../runtime/combine-decisions.ts';
import { mask } from '../../runtime/decision-log.ts';
import { unclaimedToken } from '../../runtime/rejections.ts';

export const webhookReasons = ['rules', 'all', 'none'] as const;

/** `rules`: all denials except permanent ones; `none`: only transient ones. */
export type WebhookReasons = (typeof webhookReasons)[number];

/** Returns `status.error`; empty if the denial may be cached. */
export const reportedReason = (decision: Rejected, reasons: WebhookReasons): string =>
  reportedCategories(reasons).has(categoryOf(decision)) ? reasonText(decision) : '';

type Rejected = Extract<Decision, { kind: 'rejected' }>;

/** `permanent`: neither time nor another configuration makes the token valid. */
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

/** Denials by rules of the configuration, which another configuration could change. */
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
  // The code belongs to the first of several modules.
  if (ownMessages(reason).length > 1) return 'transient';
  if (brokenCodes.has(reason.code)) return 'permanent';
  return ruleCodes.has(reason.code) ? 'rule' : 'transient';
};

/** Transient denials always have an error, because a cached denial would outlast its cause. */
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

/** Returns the messages without the prefix that the API server adds itself. */
const ownMessages = ({ message, messages = [message] }: Rejected['reason']): readonly string[] => {
  const own = messages.filter((text) => text !== unclaimedToken.message);
  return own.length === 0 ? [message] : own;
};
