/**
 * How many values a body has, at most: parsed, a value of two bytes takes a hundred, so that a body within
 * the limit of its bytes could still exhaust a small heap.
 */

/** A body up to here is not looked at. */
const smallBody = 64 * 1024;

/** Marks that begin a value or part two of them, in JSON and in YAML. */
const isMark = new Uint8Array(256);
for (const mark of ',[{\n') isMark[mark.charCodeAt(0)] = 1;

/** Whether the body may be parsed. */
export const hasFewValues = (body: Uint8Array, mostValues: number): boolean => {
  if (body.length <= smallBody) return true;
  let values = 0;
  for (const byte of body) values += isMark[byte] ?? 0;
  return values <= mostValues;
};
