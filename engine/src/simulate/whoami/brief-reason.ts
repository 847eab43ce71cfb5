/** A refusal's log text without the frames that say what its place says already. */

/**
 * `no such key: hd` of `oidc: error evaluating …: expression '…' resulted in error: no such key: hd`;
 * the rule's own message of a rule that is false, or its expression. Other texts stay, but for their
 * first word.
 */
export const reasonWithoutPrefix = (message: string): string => {
  for (const form of forms) {
    const found = form(message);
    if (found !== undefined && found !== '') return found;
  }
  const [open, close] = ruleFrame;
  const start = message.indexOf(open) + open.length;
  const isSilent =
    message.includes(open) && message.length >= start + close.length && message.endsWith(close);
  return isSilent
    ? `${message.slice(start, -close.length)} is false`
    : message.replace(/^oidc: /, '');
};

/** What is before and after an expression. */
export type Frame = readonly [open: string, close: string];

export const ruleFrame: Frame = ["validation expression '", "' failed: "];
const errorFrame: Frame = ["expression '", "' resulted in error: "];

/**
 * What follows the frame; `undefined` without one. An expression may contain any text, so the search for
 * the end of the frame begins at the end of the message.
 */
export const afterFrame = (message: string, [open, close]: Frame): string | undefined => {
  const start = message.indexOf(open);
  const end = message.lastIndexOf(close);
  return start < 0 || end < start + open.length ? undefined : message.slice(end + close.length);
};

const forms: readonly ((message: string) => string | undefined)[] = [
  (message) => afterFrame(message, errorFrame),
  (message) => afterFrame(message, ruleFrame),
  (message) => /^oidc: error evaluating .* claim expression: (.*)$/s.exec(message)?.[1],
  (message) => /^oidc: parse .*?: (.*)$/s.exec(message)?.[1],
];
