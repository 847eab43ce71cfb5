/**
 * Limits the number of values in a body. A parsed value of two bytes takes a hundred bytes of
 * memory, so a body within the size limit could still exhaust a small heap.
 */

/** Bodies up to this size are not checked. */
const smallBody = 16 * 1024;

/** Characters that begin a value or separate two values, in JSON and in YAML. */
const isMark = new Uint8Array(256);
for (const mark of ',[{\n') isMark[mark.charCodeAt(0)] = 1;

/** Protobuf bodies are binary; their reader counts fields. */
const isProtobuf = (body: Uint8Array): boolean =>
  body[0] === 0x6b && body[1] === 0x38 && body[2] === 0x73 && body[3] === 0;

/** Returns true if the body may be parsed. */
export const hasFewValues = (body: Uint8Array, mostValues: number): boolean => {
  if (body.length <= smallBody || isProtobuf(body)) return true;
  let values = 0;
  for (const byte of body) values += isMark[byte] ?? 0;
  return values <= mostValues;
};
