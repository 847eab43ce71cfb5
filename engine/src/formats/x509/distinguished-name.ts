/** Distinguished names of subjects and issuers, with the string types that Go supports. */

import { decodeUtf8 } from '../utf8.ts';
import { DerReader, derTag, toLatin1 } from './der.ts';

export interface NameAttribute {
  /** `2.5.4.3` */
  readonly type: string;
  readonly value: string;
}

/** Returns the attributes in order, with multi-valued sets flattened; a string is an error. */
export const readName = (content: Uint8Array): readonly NameAttribute[] | string => {
  const names = new DerReader(content);
  const attributes: NameAttribute[] = [];
  while (!names.isEmpty) {
    const set = names.read(derTag.set);
    if (set === undefined) return 'x509: invalid RDNSequence';
    const reader = new DerReader(set);
    while (!reader.isEmpty) {
      const attribute = readAttribute(reader);
      if (typeof attribute === 'string') return `x509: invalid RDNSequence: ${attribute}`;
      attributes.push(attribute);
    }
  }
  return attributes;
};

const readAttribute = (attributes: DerReader): NameAttribute | string => {
  const content = attributes.read(derTag.sequence);
  if (content === undefined) return 'invalid attribute';
  const pair = new DerReader(content);
  const type = pair.readObjectId();
  if (type === undefined) return 'invalid attribute type';
  const value = pair.readAny();
  if (value === undefined) return 'invalid attribute value';
  const text = readDirectoryString(value.tag, value.content);
  return 'problem' in text
    ? `invalid attribute value: ${text.problem}`
    : { type, value: text.value };
};

type StringResult = { readonly value: string } | { readonly problem: string };

const readDirectoryString = (tag: number, content: Uint8Array): StringResult => {
  switch (tag) {
    case 0x0c: {
      const value = decodeUtf8(content);
      return value === undefined ? { problem: 'invalid UTF-8 string' } : { value };
    }
    case 0x12:
      return readRestrictedString(content, /^[0-9 ]*$/, 'NumericString');
    case 0x13:
      return readRestrictedString(content, /^[A-Za-z0-9 '()+,\-./:=?*&]*$/, 'PrintableString');
    case 0x14:
      return { value: toLatin1(content) };
    case 0x16:
      return readRestrictedString(content, /^[\u0000-\u007f]*$/, 'IA5String');
    case 0x1e:
      return readBmpString(content);
    default:
      return { problem: `unsupported string type: ${tag}` };
  }
};

const readRestrictedString = (content: Uint8Array, allowed: RegExp, kind: string): StringResult => {
  const value = toLatin1(content);
  return allowed.test(value) ? { value } : { problem: `invalid ${kind}` };
};

/**
 * Reads a BMPString: surrogates and noncharacters are errors, and one NUL at the end is dropped.
 */
const readBmpString = (content: Uint8Array): StringResult => {
  const problem = 'invalid BMPString';
  if (content.length % 2 !== 0) return { problem };
  let value = '';
  for (let at = 0; at < content.length; at += 2) {
    const point = ((content[at] ?? 0) << 8) | (content[at + 1] ?? 0);
    if (point === 0 && at === content.length - 2) break;
    const isSurrogate = point >= 0xd800 && point <= 0xdfff;
    if (isSurrogate || point >= 0xfffe || (point >= 0xfdd0 && point <= 0xfdef)) return { problem };
    value += String.fromCharCode(point);
  }
  return { value };
};
