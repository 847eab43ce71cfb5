/** Texts as Go's JSON encoder writes them: `<`, `>`, `&` and the two line separators are escaped too. */

export const goJsonString = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
