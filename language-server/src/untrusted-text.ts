/**
 * Texts of others where VS Code, and editors that are built on it, read more than plain text. A file, a
 * claim and whatever is said of them may be called `[jane](command:…)`, which a message makes a link of
 * that runs the command, or `$(check)`, which a label draws as a picture.
 */

/** As it may stand in a message: no link comes of it. */
export const inMessage = (text: string): string => visible(text).replaceAll('](', '] (');

/** As it may stand in the status bar, or in a row of a picker: no picture comes of it. */
export const withoutIcons = (text: string): string => visible(text).replaceAll('$(', '$ (');

/** What hides, or turns how the rest reads, is seen; ends of lines stay. */
const visible = (text: string): string =>
  text.replace(
    /(?!\n)[\p{Cc}\p{Cs}\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff]/gu,
    '\ufffd',
  );
