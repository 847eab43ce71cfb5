/** The line that kube-apiserver logs for a rejected token. */
import { goQuote } from '../../formats/go-quote.ts';
import type { Decision } from '../../model/decision.ts';
import { aggregateMessages } from '../../runtime/combine-decisions.ts';
import { unclaimedToken } from '../../runtime/rejections.ts';

/**
 * Returns the line after its header (level, time, process and source line), in the text format of
 * kube-apiserver; `undefined` for a token that is accepted. Every error starts with that of the
 * loopback tokens, which kube-apiserver tries first.
 */
export const errorLogLine = (decision: Decision): string | undefined => {
  if (decision.kind === 'accepted') return undefined;
  const own = decision.kind === 'rejected' ? decision.reason.message : unclaimedToken.message;
  const error = aggregateMessages([unclaimedToken.message, own]);
  return `"Unable to authenticate the request" err${logValue(error)}`;
};

/** Formats a string as klog does: in quotes, or indented if it has several lines. */
const logValue = (value: string): string => {
  if (!value.includes('\n')) return `=${goQuote(value)}`;
  const lines = value.replace(/\n$/, '').split('\n');
  return `=<\n${lines.map((line) => `\t${line}\n`).join('')} >`;
};
