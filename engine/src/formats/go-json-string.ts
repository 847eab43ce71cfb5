/** Encodes strings as JSON like Go, which also escapes `<`, `>`, `&`, U+2028 and U+2029. */

export const goJsonString = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
