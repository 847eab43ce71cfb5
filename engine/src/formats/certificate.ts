/**
 * A look at X.509 certificates that finds what Go's parser refuses in their outer structure, in its
 * words. It vouches for nothing: signatures, key values and the contents of extensions are not read.
 */
import { pemBlocks } from './pem.ts';

/** What Go says to a bundle of certificates; `undefined` where it takes all of them. */
export const certificateBundleProblem = (text: string): string | undefined => {
  const blocks = pemBlocks(text).filter(
    ({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders,
  );
  for (const { bytes } of blocks) {
    const problem = certificateProblem(bytes);
    if (problem !== undefined) return `x509: ${problem}`;
  }
  return blocks.length === 0
    ? 'data does not contain any valid RSA or ECDSA certificates'
    : undefined;
};

const sequence = 0x30;
const set = 0x31;
const integer = 0x02;
const bitString = 0x03;
const octetString = 0x04;
const objectId = 0x06;
const boolean = 0x01;

const certificateProblem = (der: Uint8Array): string | undefined => {
  const outer = new DerReader(der);
  const body = outer.read(sequence);
  if (body === undefined) return 'malformed certificate';
  const problem = bodyProblem(new DerReader(body));
  return problem ?? (outer.isEmpty ? undefined : 'trailing data');
};

const bodyProblem = (body: DerReader): string | undefined => {
  const content = body.read(sequence);
  if (content === undefined) return 'malformed tbs certificate';
  const tbs = new DerReader(content);
  const version = readVersion(tbs);
  if (typeof version === 'string') return version;
  const serial = tbs.read(integer);
  if (serial === undefined || !isInteger(serial)) return 'malformed serial number';
  if ((serial[0] ?? 0) >= 0x80) return 'negative serial number';
  const inner = tbs.read(sequence);
  if (inner === undefined) return 'malformed signature algorithm identifier';
  const outer = body.read(sequence);
  if (outer === undefined) return 'malformed algorithm identifier';
  if (inner.length !== outer.length || inner.some((byte, at) => byte !== outer[at]))
    return "inner and outer signature algorithm identifiers don't match";
  return (
    algorithmProblem(inner) ??
    nameProblem(tbs) ??
    validityProblem(tbs) ??
    nameProblem(tbs) ??
    keyProblem(tbs) ??
    tailProblem(tbs, version) ??
    (isBitString(body.read(bitString)) ? undefined : 'malformed signature')
  );
};

/** One-based; a text is the problem. */
const readVersion = (tbs: DerReader): number | string => {
  if (tbs.nextTag !== 0xa0) return 1;
  const wrapped = tbs.read(0xa0);
  const inside = wrapped === undefined ? undefined : new DerReader(wrapped);
  const value = inside?.read(integer);
  if (value === undefined || !isInteger(value) || inside?.isEmpty !== true)
    return 'malformed version';
  if ((value[0] ?? 0) >= 0x80) return 'malformed version';
  const version = value.length > 1 ? 4 : (value[0] ?? 0) + 1;
  return version > 3 ? 'invalid version' : version;
};

const algorithmProblem = (content: Uint8Array): string | undefined => {
  const reader = new DerReader(content);
  if (!isObjectId(reader.read(objectId))) return 'malformed OID';
  return reader.isEmpty || reader.readAny() !== undefined ? undefined : 'malformed parameters';
};

const nameProblem = (tbs: DerReader): string | undefined => {
  const content = tbs.read(sequence);
  if (content === undefined) return 'malformed issuer';
  const names = new DerReader(content);
  while (!names.isEmpty) {
    const attributes = names.read(set);
    if (attributes === undefined) return 'invalid RDNSequence';
    const problem = attributesProblem(new DerReader(attributes));
    if (problem !== undefined) return `invalid RDNSequence: ${problem}`;
  }
  return undefined;
};

const attributesProblem = (attributes: DerReader): string | undefined => {
  while (!attributes.isEmpty) {
    const content = attributes.read(sequence);
    if (content === undefined) return 'invalid attribute';
    const pair = new DerReader(content);
    if (!isObjectId(pair.read(objectId))) return 'invalid attribute type';
    const value = pair.readAny();
    if (value === undefined) return 'invalid attribute value';
    const problem = textProblem(value.tag, value.content);
    if (problem !== undefined) return `invalid attribute value: ${problem}`;
  }
  return undefined;
};

const textProblem = (tag: number, content: Uint8Array): string | undefined => {
  const latin = String.fromCharCode(...content.subarray(0, 4096));
  switch (tag) {
    case 0x0c:
      return isUtf8(content) ? undefined : 'invalid UTF-8 string';
    case 0x12:
      return /^[0-9 ]*$/.test(latin) ? undefined : 'invalid NumericString';
    case 0x13:
      return /^[A-Za-z0-9 '()+,\-./:=?*&]*$/.test(latin) ? undefined : 'invalid PrintableString';
    case 0x14:
      return undefined;
    case 0x16:
      return content.every((byte) => byte < 0x80) ? undefined : 'invalid IA5String';
    case 0x1e:
      return content.length % 2 === 0 ? undefined : 'invalid BMPString';
    default:
      return `unsupported string type: ${tag}`;
  }
};

const isUtf8 = (content: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
};

const validityProblem = (tbs: DerReader): string | undefined => {
  const content = tbs.read(sequence);
  if (content === undefined) return 'malformed validity';
  const times = new DerReader(content);
  return timeProblem(times) ?? timeProblem(times);
};

const timeProblem = (times: DerReader): string | undefined => {
  const time = times.readAny();
  const latin = String.fromCharCode(...(time?.content ?? []).slice(0, 64));
  if (time?.tag === 0x17)
    return /^\d{10}(\d\d)?(Z|[-+]\d{4})$/.test(latin) ? undefined : 'malformed UTCTime';
  if (time?.tag === 0x18)
    return /^\d{14}(Z|[-+]\d{4})$/.test(latin) ? undefined : 'malformed GeneralizedTime';
  return 'unsupported time format';
};

const keyProblem = (tbs: DerReader): string | undefined => {
  const content = tbs.read(sequence);
  if (content === undefined) return 'malformed spki';
  const key = new DerReader(content);
  const algorithm = key.read(sequence);
  if (algorithm === undefined) return 'malformed public key algorithm identifier';
  const problem = algorithmProblem(algorithm);
  if (problem !== undefined) return problem;
  return isBitString(key.read(bitString)) ? undefined : 'malformed subjectPublicKey';
};

const tailProblem = (tbs: DerReader, version: number): string | undefined => {
  if (version === 1) return undefined;
  if (tbs.nextTag === 0x81 && tbs.read(0x81) === undefined) return 'malformed issuerUniqueID';
  if (tbs.nextTag === 0x82 && tbs.read(0x82) === undefined) return 'malformed subjectUniqueID';
  if (version !== 3 || tbs.nextTag !== 0xa3) return undefined;
  const wrapped = tbs.read(0xa3);
  const content = wrapped === undefined ? undefined : new DerReader(wrapped).read(sequence);
  if (content === undefined) return 'malformed extensions';
  const extensions = new DerReader(content);
  while (!extensions.isEmpty) {
    const extension = extensions.read(sequence);
    if (extension === undefined) return 'malformed extension';
    const problem = extensionProblem(new DerReader(extension));
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const extensionProblem = (extension: DerReader): string | undefined => {
  if (!isObjectId(extension.read(objectId))) return 'malformed extension OID field';
  if (extension.nextTag === boolean && extension.read(boolean)?.length !== 1)
    return 'malformed extension critical field';
  return extension.read(octetString) === undefined ? 'malformed extension value field' : undefined;
};

/** Shortest form, as DER wants it. */
const isInteger = (content: Uint8Array): boolean => {
  const [first = 0, second = 0] = content;
  if (content.length < 2) return content.length === 1;
  return !((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
};

const isObjectId = (content: Uint8Array | undefined): boolean =>
  content !== undefined && content.length > 0 && (content.at(-1) ?? 0x80) < 0x80;

const isBitString = (content: Uint8Array | undefined): boolean =>
  content !== undefined && content.length > 0 && (content[0] ?? 8) <= 7;

/** Reads elements of tag, length and content, each in DER's shortest form. */
class DerReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isEmpty(): boolean {
    return this.#at >= this.#bytes.length;
  }

  get nextTag(): number | undefined {
    return this.#bytes[this.#at];
  }

  /** The content of the next element, if it has the tag. */
  read(tag: number): Uint8Array | undefined {
    return this.nextTag === tag ? this.readAny()?.content : undefined;
  }

  readAny(): { readonly tag: number; readonly content: Uint8Array } | undefined {
    const tag = this.nextTag;
    if (tag === undefined || (tag & 0x1f) === 0x1f) return undefined;
    const length = this.#length();
    if (length === undefined) return undefined;
    const start = this.#at + length.headerBytes;
    const content = this.#bytes.subarray(start, start + length.value);
    if (content.length !== length.value) return undefined;
    this.#at = start + length.value;
    return { tag, content };
  }

  #length(): { readonly value: number; readonly headerBytes: number } | undefined {
    const first = this.#bytes[this.#at + 1];
    if (first === undefined) return undefined;
    if (first < 0x80) return { value: first, headerBytes: 2 };
    const count = first & 0x7f;
    if (count === 0 || count > 4) return undefined;
    const digits = this.#bytes.subarray(this.#at + 2, this.#at + 2 + count);
    if (digits.length !== count) return undefined;
    const value = digits.reduce((sum, byte) => sum * 256 + byte, 0);
    const shortest = value >= 0x80 && (digits[0] ?? 0) !== 0;
    return shortest ? { value, headerBytes: 2 + count } : undefined;
  }
}
