/** Base64 and JSON. No authentication environment has this library; conformance tests select it. */

import { declare, global } from '../../../engine/src/cel/functions/declare.ts';
import type { CelLibrary } from '../../../engine/src/cel/functions/library.ts';
import { isMap, mapEntries } from '../../../engine/src/cel/values/map-value.ts';
import { bytesType, dynType, stringType } from '../../../engine/src/cel/values/types.ts';
import {
  type Body,
  CelBytes,
  CelError,
  type CelValue,
  isList,
  noSuchOverload,
} from '../../../engine/src/cel/values/value.ts';
import { decodeByTable } from '../../../engine/src/formats/base64.ts';

const decode: Body = (text = null) => {
  if (typeof text !== 'string') return noSuchOverload;
  const bytes = decodeStandard(text);
  return bytes === undefined
    ? new CelError('illegal base64 data at input byte 0')
    : new CelBytes(bytes);
};

const decodeStandard = (text: string): Uint8Array | undefined =>
  /[-_]/.test(text)
    ? undefined
    : decodeByTable(
        text
          .replace(/={1,2}$/, '')
          .replaceAll('+', '-')
          .replaceAll('/', '_'),
      );

const encode: Body = (value = null) => {
  if (!(value instanceof CelBytes)) return noSuchOverload;
  return btoa(Array.from(value.bytes, (byte) => String.fromCharCode(byte)).join(''));
};

const encodeJson: Body = (value = null) => JSON.stringify(toPlainJson(value));

const toPlainJson = (value: CelValue): unknown => {
  if (isList(value)) return value.map(toPlainJson);
  if (isMap(value))
    return Object.fromEntries(mapEntries(value).map(([key, entry]) => [key, toPlainJson(entry)]));
  return typeof value === 'bigint' ? Number(value) : value;
};

/** The `encoders` library. */
export const encodersLibrary: CelLibrary = {
  name: 'encoders',
  since: 30,
  doc: 'Base64 and JSON.',
  functions: [
    declare('base64.decode', 'Decodes base64, with or without padding.', [
      global('base64_decode_string', [stringType], bytesType, decode),
    ]),
    declare('base64.encode', 'Encodes bytes as base64.', [
      global('base64_encode_bytes', [bytesType], stringType, encode),
    ]),
    declare('json.encode', 'Encodes a value as JSON.', [
      global('json_encode_dyn', [dynType], stringType, encodeJson),
    ]),
  ],
};
