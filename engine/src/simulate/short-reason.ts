/** A refusal's log text without the frames that say what its place says already. */

/**
 * `no such key: hd` of `oidc: error evaluating …: expression '…' resulted in error: no such key: hd`;
 * the rule's own message of a rule that is false, or its expression. Other texts stay, but for their
 * first word.
 */
export const shortReason = (message: string): string => {
  for (const form of forms) {
    const found = form.exec(message)?.[1];
    if (found !== undefined && found !== '') return found;
  }
  const silent = /validation expression '(.*)' failed: $/s.exec(message)?.[1];
  return silent === undefined ? message.replace(/^oidc: /, '') : `${silent} is false`;
};

/** An expression may hold any text, so the frame's end is looked for from behind. */
const forms: readonly RegExp[] = [
  /expression '.*' resulted in error: (.*)$/s,
  /validation expression '.*' failed: (.*)$/s,
  /^oidc: error evaluating .* claim expression: (.*)$/s,
  /^oidc: parse .*?: (.*)$/s,
];
