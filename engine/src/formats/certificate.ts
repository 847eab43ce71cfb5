/**
 * A look at X.509 certificates that finds what Go's parser refuses, in its words. It vouches for
 * nothing: signatures and names are not judged, and of the extensions only those are read that a
 * certificate authority has.
 */
import { extensionsProblem } from './certificate-extensions.ts';
import { publicKeyProblem } from './certificate-key.ts';
import { DerReader, derTag } from './der.ts';
import { pemBlocks } from './pem.ts';
import { decodeUtf8 } from './utf8.ts';

/** What Go says to a bundle of certificates; `undefined` where it takes all of them. */
export const certificateBundleProblem = (text: string): string | undefined => {
  const blocks = pemBlocks(text).filter(
    ({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders,
  );
  for (const { bytes } of blocks) {
    const problem = certificateProblem(bytes);
    if (problem !== undefined) return problem;
  }
  return blocks.length === 0
    ? 'data does not contain any valid RSA or ECDSA certificates'
    : undefined;
};

/** What Go says to one certificate; `undefined` where it takes it. */
export const certificateProblem = (der: Uint8Array): string | undefined => {
  const outer = new DerReader(der);
  const body = outer.read(derTag.sequence);
  if (body === undefined) return 'x509: malformed certificate';
  const problem = bodyProblem(new DerReader(body));
  return problem ?? (outer.isEmpty ? undefined : 'x509: trailing data');
};

const bodyProblem = (body: DerReader): string | undefined => {
  const content = body.read(derTag.sequence);
  if (content === undefined) return 'x509: malformed tbs certificate';
  const tbs = new DerReader(content);
  const version = readVersion(tbs);
  if (typeof version === 'string') return version;
  const serial = tbs.readInteger();
  if (serial === undefined) return 'x509: malformed serial number';
  if (serial < 0n) return 'x509: negative serial number';
  const inner = tbs.read(derTag.sequence);
  if (inner === undefined) return 'x509: malformed signature algorithm identifier';
  const outer = body.read(derTag.sequence);
  if (outer === undefined) return 'x509: malformed algorithm identifier';
  if (inner.length !== outer.length || inner.some((byte, at) => byte !== outer[at]))
    return "x509: inner and outer signature algorithm identifiers don't match";
  const algorithm = readAlgorithm(inner);
  return (
    (typeof algorithm === 'string' ? algorithm : undefined) ??
    nameProblem(tbs) ??
    validityProblem(tbs) ??
    nameProblem(tbs) ??
    keyProblem(tbs) ??
    tailProblem(tbs, version) ??
    (body.readBitString() === undefined ? 'x509: malformed signature' : undefined)
  );
};

/** One-based; a text is the problem. */
const readVersion = (tbs: DerReader): number | string => {
  if (tbs.nextTag !== 0xa0) return 1;
  const wrapped = tbs.read(0xa0);
  const inside = wrapped === undefined ? undefined : new DerReader(wrapped);
  const version = inside?.readInteger();
  if (version === undefined || version < 0n || inside?.isEmpty !== true)
    return 'x509: malformed version';
  if (version > 2n ** 63n - 1n) return 'x509: malformed version';
  return version > 2n ? 'x509: invalid version' : Number(version) + 1;
};

interface Algorithm {
  readonly id: string;
  /** The whole element; empty where there is none. */
  readonly parameters: Uint8Array;
}

const readAlgorithm = (content: Uint8Array): Algorithm | string => {
  const reader = new DerReader(content);
  const id = reader.readObjectId();
  if (id === undefined) return 'x509: malformed OID';
  const rest = reader.rest;
  if (rest.length === 0) return { id, parameters: rest };
  if (reader.readAny() === undefined) return 'x509: malformed parameters';
  return { id, parameters: rest.subarray(0, rest.length - reader.rest.length) };
};

const nameProblem = (tbs: DerReader): string | undefined => {
  const content = tbs.read(derTag.sequence);
  if (content === undefined) return 'x509: malformed issuer';
  const names = new DerReader(content);
  while (!names.isEmpty) {
    const attributes = names.read(derTag.set);
    if (attributes === undefined) return 'x509: invalid RDNSequence';
    const problem = attributesProblem(new DerReader(attributes));
    if (problem !== undefined) return `x509: invalid RDNSequence: ${problem}`;
  }
  return undefined;
};

const attributesProblem = (attributes: DerReader): string | undefined => {
  while (!attributes.isEmpty) {
    const content = attributes.read(derTag.sequence);
    if (content === undefined) return 'invalid attribute';
    const pair = new DerReader(content);
    if (pair.readObjectId() === undefined) return 'invalid attribute type';
    const value = pair.readAny();
    if (value === undefined) return 'invalid attribute value';
    const problem = textProblem(value.tag, value.content);
    if (problem !== undefined) return `invalid attribute value: ${problem}`;
  }
  return undefined;
};

const textProblem = (tag: number, content: Uint8Array): string | undefined => {
  const every = (allowed: RegExp): boolean =>
    content.every((byte) => allowed.test(String.fromCharCode(byte)));
  switch (tag) {
    case 0x0c:
      return decodeUtf8(content) === undefined ? 'invalid UTF-8 string' : undefined;
    case 0x12:
      return every(/[0-9 ]/) ? undefined : 'invalid NumericString';
    case 0x13:
      return every(/[A-Za-z0-9 '()+,\-./:=?*&]/) ? undefined : 'invalid PrintableString';
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

const validityProblem = (tbs: DerReader): string | undefined => {
  const content = tbs.read(derTag.sequence);
  if (content === undefined) return 'x509: malformed validity';
  const times = new DerReader(content);
  return timeProblem(times) ?? timeProblem(times);
};

const timeProblem = (times: DerReader): string | undefined => {
  const tag = times.nextTag;
  if (tag !== derTag.utcTime && tag !== derTag.generalizedTime)
    return 'x509: unsupported time format';
  const content = times.read(tag);
  const text = content === undefined ? '' : String.fromCharCode(...content.subarray(0, 32));
  if (tag === derTag.utcTime) return isUtcTime(text) ? undefined : 'x509: malformed UTCTime';
  return isGeneralizedTime(text) ? undefined : 'x509: malformed GeneralizedTime';
};

const zone = '(?:Z|[-+](?!0000)(?:[01]\\d|2[0-3])[0-5]\\d)';
const utcForm = new RegExp(`^(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)?${zone}$`);
const generalizedForm = new RegExp(`^(\\d{4})(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)${zone}$`);

const isUtcTime = (text: string): boolean => {
  const parts = utcForm
    .exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (parts === undefined) return false;
  const [year = 0, ...others] = parts;
  return isDate(year < 69 ? 2000 + year : 1900 + year, others);
};

const isGeneralizedTime = (text: string): boolean => {
  const parts = generalizedForm.exec(text)?.slice(1).map(Number);
  if (parts === undefined) return false;
  const [year = 0, ...others] = parts;
  return isDate(year, others);
};

const isDate = (year: number, rest: readonly number[]): boolean => {
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = rest;
  // A year of the same leap rule that Date takes as it is.
  const inMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= inMonth;
  return isDay && hour < 24 && minute < 60 && second < 60;
};

const keyProblem = (tbs: DerReader): string | undefined => {
  const content = tbs.read(derTag.sequence);
  if (content === undefined) return 'x509: malformed spki';
  const key = new DerReader(content);
  const identifier = key.read(derTag.sequence);
  if (identifier === undefined) return 'x509: malformed public key algorithm identifier';
  const algorithm = readAlgorithm(identifier);
  if (typeof algorithm === 'string') return algorithm;
  const bits = key.readBitString();
  if (bits === undefined) return 'x509: malformed subjectPublicKey';
  return publicKeyProblem(algorithm.id, algorithm.parameters, bits);
};

const tailProblem = (tbs: DerReader, version: number): string | undefined => {
  if (version === 1) return undefined;
  if (tbs.nextTag === 0x81 && tbs.read(0x81) === undefined) return 'x509: malformed issuerUniqueID';
  if (tbs.nextTag === 0x82 && tbs.read(0x82) === undefined)
    return 'x509: malformed subjectUniqueID';
  if (version !== 3 || tbs.nextTag !== 0xa3) return undefined;
  const wrapped = tbs.read(0xa3);
  const content = wrapped === undefined ? undefined : new DerReader(wrapped).read(derTag.sequence);
  return content === undefined
    ? 'x509: malformed extensions'
    : extensionsProblem(new DerReader(content));
};
