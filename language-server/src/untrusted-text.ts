/**
 * Neutralizes untrusted text where VS Code, and editors based on it, interpret plain text. File
 * names and claims may contain `[jane](command:…)`, which a message turns into a link that runs a
 * command, or `$(check)`, which a label renders as an icon.
 */

/** Returns text for a message, with links broken up. */
export const inMessage = (text: string): string => visible(text).replaceAll('](', '] (');

/** Returns text for the status bar or a picker row, with icons broken up. */
export const withoutIcons = (text: string): string => visible(text).replaceAll('$(', '$ (');

/** Replaces invisible and direction-changing characters; line breaks stay. */
const visible = (text: string): string =>
  text.replace(
    /(?!\n)[\p{Cc}\p{Cs}\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff]/gu,
    '\ufffd',
  );
