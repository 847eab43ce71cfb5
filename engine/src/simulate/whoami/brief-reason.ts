/** Shortens the log text of a rejection by the frames that repeat what its place already says. */

/**
 * Returns `no such key: hd` for `oidc: error evaluating …: expression '…' resulted in error: no
 * such key: hd`; for a rule that is false, its own message or its expression. Other texts only lose
 * their first word.
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

/** The text before and after an expression. */
export type Frame = readonly [open: string, close: string];

export const ruleFrame: Frame = ["validation expression '", "' failed: "];
const errorFrame: Frame = ["expression '", "' resulted in error: "];

/**
 * Returns the text after the frame, or `undefined` without a frame. An expression may contain any
 * text, so the end of the frame is searched from the end of the message.
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
