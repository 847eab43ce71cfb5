/**
 * Parses JSON with everything that is in the source: the order of members, repeated members, number
 * literals, and the position of every value. Its errors are exactly those of Go. It is used for
 * rarely parsed documents (headers, key sets, discovery documents) and for cases that
 * `json-with-shape.ts` cannot handle.
 */
import { goQuoteByte } from './go-quote.ts';
import { decodeUtf8Loosely } from './utf8.ts';

/** A value with its members as written: in order, repeated ones included, and numbers as text. */
type JsonTree<Place> = Place &
  (
    | { readonly kind: 'object'; readonly members: readonly JsonTreeMember<Place>[] }
    | { readonly kind: 'array'; readonly items: readonly JsonTree<Place>[] }
    | { readonly kind: 'string'; readonly text: string }
    | { readonly kind: 'number'; readonly literal: string }
    | { readonly kind: 'bool'; readonly value: boolean }
    | { readonly kind: 'null' }
  );

interface JsonTreeMember<Place> {
  readonly name: string;
  readonly value: JsonTree<Place>;
}

/** Byte offsets of a value, end exclusive. */
interface JsonPosition {
  readonly start: number;
  readonly end: number;
}

/** A value with its position. */
export type JsonNode = JsonTree<JsonPosition>;
export type JsonMember = JsonTreeMember<JsonPosition>;

/** A value that may have come from another format, such as YAML or protobuf. */
export type PlainValue = JsonTree<Partial<JsonPosition>>;
export type PlainMember = JsonTreeMember<Partial<JsonPosition>>;

export type JsonWithPositions =
  | { readonly kind: 'tree'; readonly root: JsonNode; readonly bytes: Uint8Array }
  /** `invalid character 'x' after top-level value`, and the byte offset where it was found. */
  | { readonly kind: 'error'; readonly error: string; readonly at: number };

/** Go's maximum nesting depth. */
export const goMaxJsonDepth = 10_000;

/** Parses bytes. Strings are well-formed: invalid UTF-8 and lone surrogates become U+FFFD. */
export const parseJsonWithPositions = (
  bytes: Uint8Array,
  maxDepth = goMaxJsonDepth,
): JsonWithPositions => {
  const reader: Reader = { bytes, at: 0 };
  const root = readDocument(reader, maxDepth);
  return root instanceof JsonSyntaxError
    ? { kind: 'error', error: root.message, at: reader.at }
    : { kind: 'tree', root, bytes };
};

/** Returns the source of a node. */
export const rawJson = (bytes: Uint8Array, node: Partial<JsonPosition>): string =>
  decodeUtf8Loosely(bytes.subarray(node.start, node.end));

interface Reader {
  readonly bytes: Uint8Array;
  at: number;
}

/** A syntax error that is returned instead of a value. */
class JsonSyntaxError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

type OpenContainer =
  | { readonly kind: 'object'; readonly members: JsonMember[]; readonly start: number; key: string }
  | { readonly kind: 'array'; readonly items: JsonNode[]; readonly start: number };

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const beginArray = 0x5b;
const endArray = 0x5d;
const beginObject = 0x7b;
const endObject = 0x7d;

/** Parses without recursion, because ten thousand levels would overflow the stack. */
const readDocument = (reader: Reader, maxDepth: number): JsonNode | JsonSyntaxError => {
  const open: OpenContainer[] = [];
  for (;;) {
    let value = beginValue(reader, open, maxDepth);
    if (value === undefined) continue;
    while (!(value instanceof JsonSyntaxError)) {
      const parent = open.at(-1);
      if (parent === undefined) return endOfInput(reader, value);
      const next = afterValue(reader, parent, value);
      if (next === undefined) break;
      if (!(next instanceof JsonSyntaxError)) open.pop();
      value = next;
    }
    if (value instanceof JsonSyntaxError) return value;
  }
};

/** Returns a complete value, or `undefined` after it opened an array or object. */
const beginValue = (
  reader: Reader,
  open: OpenContainer[],
  maxDepth: number,
): JsonNode | JsonSyntaxError | undefined => {
  skipSpace(reader);
  const start = reader.at;
  const first = reader.bytes[start];
  if (first === undefined) return unexpectedEnd();
  if (first !== beginObject && first !== beginArray) return readScalar(reader, first);
  if (open.length === maxDepth) return unexpected(reader, 'exceeded max depth');
  reader.at += 1;
  skipSpace(reader);
  if (first === beginArray) {
    if (reader.bytes[reader.at] !== endArray) {
      open.push({ kind: 'array', items: [], start });
      return undefined;
    }
    reader.at += 1;
    return { kind: 'array', items: [], start, end: reader.at };
  }
  if (reader.bytes[reader.at] === endObject) {
    reader.at += 1;
    return { kind: 'object', members: [], start, end: reader.at };
  }
  const key = readKey(reader);
  if (key instanceof JsonSyntaxError) return key;
  open.push({ kind: 'object', members: [], start, key });
  return undefined;
};

/**
 * Adds a value to its array or object; returns the array or object if it ends here, `undefined` if
 * more values follow.
 */
const afterValue = (
  reader: Reader,
  parent: OpenContainer,
  value: JsonNode,
): JsonNode | JsonSyntaxError | undefined => {
  skipSpace(reader);
  const next = reader.bytes[reader.at];
  if (next === undefined) return unexpectedEnd();
  const { start } = parent;
  if (parent.kind === 'array') {
    parent.items.push(value);
    if (next !== comma && next !== endArray) return unexpected(reader, 'after array element');
    reader.at += 1;
    if (next === comma) return undefined;
    return { kind: 'array', items: parent.items, start, end: reader.at };
  }
  parent.members.push({ name: parent.key, value });
  if (next !== comma && next !== endObject) {
    return unexpected(reader, 'after object key:value pair');
  }
  reader.at += 1;
  if (next === endObject) {
    return { kind: 'object', members: parent.members, start, end: reader.at };
  }
  const key = readKey(reader);
  if (key instanceof JsonSyntaxError) return key;
  parent.key = key;
  return undefined;
};

const readKey = (reader: Reader): string | JsonSyntaxError => {
  skipSpace(reader);
  const first = reader.bytes[reader.at];
  if (first === undefined) return unexpectedEnd();
  if (first !== quote) return unexpected(reader, 'looking for beginning of object key string');
  const key = readString(reader);
  if (key instanceof JsonSyntaxError) return key;
  skipSpace(reader);
  const next = reader.bytes[reader.at];
  if (next === undefined) return unexpectedEnd();
  if (next !== colon) return unexpected(reader, 'after object key');
  reader.at += 1;
  return key;
};

const readScalar = (reader: Reader, first: number): JsonNode | JsonSyntaxError => {
  const start = reader.at;
  if (first === quote) {
    const text = readString(reader);
    return text instanceof JsonSyntaxError ? text : { kind: 'string', text, start, end: reader.at };
  }
  if (first === 0x2d || isDigit(first)) return readNumber(reader);
  const word = first === 0x74 ? 'true' : first === 0x66 ? 'false' : first === 0x6e ? 'null' : '';
  if (word === '') return unexpected(reader, 'looking for beginning of value');
  for (const letter of word) {
    const syntaxError = expectByte(reader, letter.charCodeAt(0), word);
    if (syntaxError !== undefined) return syntaxError;
  }
  const end = reader.at;
  return word === 'null'
    ? { kind: 'null', start, end }
    : { kind: 'bool', value: word === 'true', start, end };
};

const expectByte = (reader: Reader, wanted: number, word: string): JsonSyntaxError | undefined => {
  if (reader.bytes[reader.at] !== wanted) {
    const letter = String.fromCharCode(wanted);
    return unexpected(reader, `in literal ${word} (expecting '${letter}')`);
  }
  reader.at += 1;
  return undefined;
};

const readNumber = (reader: Reader): JsonNode | JsonSyntaxError => {
  const { bytes } = reader;
  const start = reader.at;
  if (bytes[reader.at] === 0x2d) reader.at += 1;
  if (bytes[reader.at] === 0x30) reader.at += 1;
  else {
    const syntaxError = readDigits(reader, 'in numeric literal');
    if (syntaxError !== undefined) return syntaxError;
  }
  if (bytes[reader.at] === 0x2e) {
    reader.at += 1;
    const syntaxError = readDigits(reader, 'after decimal point in numeric literal');
    if (syntaxError !== undefined) return syntaxError;
  }
  if (bytes[reader.at] === 0x65 || bytes[reader.at] === 0x45) {
    reader.at += 1;
    if (bytes[reader.at] === 0x2b || bytes[reader.at] === 0x2d) reader.at += 1;
    const syntaxError = readDigits(reader, 'in exponent of numeric literal');
    if (syntaxError !== undefined) return syntaxError;
  }
  const literal = decodeUtf8Loosely(bytes.subarray(start, reader.at));
  return { kind: 'number', literal, start, end: reader.at };
};

const readDigits = (reader: Reader, context: string): JsonSyntaxError | undefined => {
  if (!isDigit(reader.bytes[reader.at])) return unexpected(reader, context);
  while (isDigit(reader.bytes[reader.at])) reader.at += 1;
  return undefined;
};

const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;

const escapes: ReadonlyMap<number, string> = new Map([
  [0x22, '"'],
  [0x5c, '\\'],
  [0x2f, '/'],
  [0x62, '\b'],
  [0x66, '\f'],
  [0x6e, '\n'],
  [0x72, '\r'],
  [0x74, '\t'],
]);

const readString = (reader: Reader): string | JsonSyntaxError => {
  const { bytes } = reader;
  let text = '';
  reader.at += 1;
  let plainFrom = reader.at;
  for (;;) {
    const byte = bytes[reader.at];
    if (byte === undefined) return unexpectedEnd();
    if (byte < 0x20) return unexpected(reader, 'in string literal');
    if (byte !== quote && byte !== backslash) {
      reader.at += 1;
      continue;
    }
    text += decodeUtf8Loosely(bytes.subarray(plainFrom, reader.at));
    reader.at += 1;
    if (byte === quote) return text.toWellFormed();
    const escaped = readEscape(reader);
    if (escaped instanceof JsonSyntaxError) return escaped;
    text += escaped;
    plainFrom = reader.at;
  }
};

const readEscape = (reader: Reader): string | JsonSyntaxError => {
  const byte = reader.bytes[reader.at] ?? space;
  const namedEscape = escapes.get(byte);
  if (namedEscape === undefined && byte !== 0x75)
    return unexpected(reader, 'in string escape code');
  reader.at += 1;
  if (namedEscape !== undefined) return namedEscape;
  let code = 0;
  for (let place = 0; place < 4; place += 1) {
    const digit = reader.bytes[reader.at] ?? space;
    const value = Number.parseInt(String.fromCharCode(digit), 16);
    if (Number.isNaN(value)) return unexpected(reader, 'in \\u hexadecimal character escape');
    code = code * 16 + value;
    reader.at += 1;
  }
  return String.fromCharCode(code);
};

const endOfInput = (reader: Reader, root: JsonNode): JsonNode | JsonSyntaxError => {
  skipSpace(reader);
  return reader.at < reader.bytes.length ? unexpected(reader, 'after top-level value') : root;
};

const skipSpace = (reader: Reader): void => {
  for (;;) {
    const byte = reader.bytes[reader.at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
    reader.at += 1;
  }
};

const unexpectedEnd = (): JsonSyntaxError => new JsonSyntaxError('unexpected end of JSON input');

/**
 * Returns Go's error for an unexpected character; the end of input inside a literal counts as a
 * space.
 */
const unexpected = (reader: Reader, context: string): JsonSyntaxError =>
  new JsonSyntaxError(
    `invalid character ${goQuoteByte(reader.bytes[reader.at] ?? space)} ${context}`,
  );
