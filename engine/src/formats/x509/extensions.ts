/** Extensions of certificates that Go's parser supports. Others only count if they are critical. */

import { goQuote } from '../go-quote.ts';
import { type AlternativeNames, readAlternativeNames } from './alternative-names.ts';
import { type NameConstraints, readNameConstraints } from './constraints.ts';
import { DerReader, derTag, toLatin1 } from './der.ts';

export interface CertificateExtensions {
  /** Whether a critical extension is unsupported or contains only unsupported parts. */
  readonly hasUnhandledCritical: boolean;
  readonly basicConstraints?: BasicConstraints;
  /** The first nine bits, bit 0 as 1; 0 if the extension is absent. */
  readonly keyUsage: number;
  readonly extendedKeyUsage: readonly string[];
  /** Empty if the extension is absent. */
  readonly subjectKeyId: Uint8Array;
  readonly authorityKeyId: Uint8Array;
  readonly alternativeNames?: AlternativeNames;
  readonly nameConstraints?: NameConstraints;
  readonly policies: PolicyExtensions;
}

export interface BasicConstraints {
  readonly isAuthority: boolean;
  readonly maxPathLength?: bigint;
}

/**
 * Policies, identified by the content of their object identifier with one character for each byte.
 */
export interface PolicyExtensions {
  readonly asserted: readonly string[];
  readonly mappings: readonly { readonly issuer: string; readonly subject: string }[];
  readonly requireExplicit?: bigint;
  readonly inhibitMapping?: bigint;
  readonly inhibitAny?: bigint;
}

/** Parses all extensions before any is interpreted; returns a string if one is malformed. */
export const readExtensions = (list: DerReader): CertificateExtensions | string => {
  const extensions = new Map<string, Extension>();
  while (!list.isEmpty) {
    const content = list.read(derTag.sequence);
    if (content === undefined) return 'x509: malformed extension';
    const extension = readExtension(new DerReader(content));
    if (typeof extension === 'string') return extension;
    if (extensions.has(extension.id))
      return `x509: certificate contains duplicate extension with OID ${goQuote(extension.id)}`;
    extensions.set(extension.id, extension);
  }
  return interpretExtensions([...extensions.values()]);
};

interface Extension {
  readonly id: string;
  readonly critical: boolean;
  readonly content: Uint8Array;
}

/** Parses one extension; returns a string if it is malformed. */
const readExtension = (reader: DerReader): Extension | string => {
  const id = reader.readObjectId();
  if (id === undefined) return 'x509: malformed extension OID field';
  const critical = reader.nextTag === derTag.boolean ? reader.readBoolean() : false;
  if (critical === undefined) return 'x509: malformed extension critical field';
  const content = reader.read(derTag.octetString);
  if (content === undefined) return 'x509: malformed extension value field';
  return { id, critical, content };
};

const interpretExtensions = (extensions: readonly Extension[]): CertificateExtensions | string => {
  let fields: Partial<CertificateExtensions> = {};
  let policies: PolicyExtensions = { asserted: [], mappings: [] };
  let hasUnhandledCritical = false;
  for (const extension of extensions) {
    const part = readers.get(extension.id)?.(extension) ?? { unhandled: true };
    if (typeof part === 'string') return `x509: ${part}`;
    const { unhandled = false, policies: extensionPolicies, ...rest } = part;
    if (unhandled && extension.critical) hasUnhandledCritical = true;
    fields = { ...fields, ...rest };
    policies = { ...policies, ...extensionPolicies };
  }
  return {
    keyUsage: 0,
    extendedKeyUsage: [],
    subjectKeyId: new Uint8Array(),
    authorityKeyId: new Uint8Array(),
    ...fields,
    hasUnhandledCritical,
    policies,
  };
};

type ExtensionFields = Partial<Omit<CertificateExtensions, 'policies' | 'hasUnhandledCritical'>> & {
  readonly policies?: Partial<PolicyExtensions>;
  readonly unhandled?: boolean;
};

/** Interprets an extension; returns a string if it is malformed. */
type ExtensionReader = (extension: Extension) => ExtensionFields | string;

const sequenceIn = (content: Uint8Array): DerReader | undefined => {
  const inner = new DerReader(content).read(derTag.sequence);
  return inner && new DerReader(inner);
};

const subjectKeyId: ExtensionReader = ({ critical, content }) => {
  if (critical) return 'subject key identifier incorrectly marked critical';
  const id = new DerReader(content).read(derTag.octetString);
  return id === undefined ? 'invalid subject key identifier' : { subjectKeyId: id };
};

const authorityKeyId: ExtensionReader = ({ critical, content }) => {
  if (critical) return 'authority key identifier incorrectly marked critical';
  const reader = sequenceIn(content);
  if (reader === undefined) return 'invalid authority key identifier';
  if (reader.nextTag !== 0x80) return {};
  const id = reader.read(0x80);
  return id === undefined ? 'invalid authority key identifier' : { authorityKeyId: id };
};

const keyUsage: ExtensionReader = ({ content }) => {
  const bits = new DerReader(content).readBitString();
  if (bits === undefined) return 'invalid key usage';
  const isSet = (bit: number): boolean => (((bits[bit >> 3] ?? 0) << (bit & 7)) & 0x80) !== 0;
  let usage = 0;
  for (let bit = 0; bit < 9; bit += 1) if (isSet(bit)) usage |= 1 << bit;
  return { keyUsage: usage };
};

const basicConstraints: ExtensionReader = ({ content }) => {
  const problem = 'invalid basic constraints';
  const reader = sequenceIn(content);
  if (reader === undefined) return problem;
  const isAuthority = reader.nextTag === derTag.boolean ? reader.readBoolean() : false;
  if (isAuthority === undefined) return problem;
  if (reader.nextTag !== derTag.integer) return { basicConstraints: { isAuthority } };
  const maxPathLength = reader.readInteger();
  return maxPathLength === undefined || maxPathLength < 0n || maxPathLength > topInt64
    ? problem
    : { basicConstraints: { isAuthority, maxPathLength } };
};

const topInt64 = 2n ** 63n - 1n;
const isInt64 = (value: bigint): boolean => value >= -topInt64 - 1n && value <= topInt64;

const extendedKeyUsage: ExtensionReader = ({ content }) => {
  const reader = sequenceIn(content);
  const usages: string[] = [];
  while (reader?.isEmpty === false) {
    const usage = reader.readObjectId();
    if (usage === undefined) return 'invalid extended key usages';
    usages.push(usage);
  }
  return reader === undefined ? 'invalid extended key usages' : { extendedKeyUsage: usages };
};

const alternativeNames: ExtensionReader = ({ content }) => {
  const names = readAlternativeNames(content);
  if (typeof names === 'string') return names;
  const { dns, emails, addresses, uris } = names;
  const isEmpty = dns.length + emails.length + addresses.length + uris.length === 0;
  return { alternativeNames: names, unhandled: isEmpty };
};

const nameConstraints: ExtensionReader = ({ content }) => {
  const constraints = readNameConstraints(content);
  if (typeof constraints === 'string') return constraints;
  return { nameConstraints: constraints, unhandled: constraints.hasUnhandled };
};

const crlDistributionPoints: ExtensionReader = ({ content }) => {
  const points = sequenceIn(content);
  if (points === undefined) return 'invalid CRL distribution points';
  while (!points.isEmpty) {
    const point = points.read(derTag.sequence);
    if (point === undefined || !isDistributionPoint(new DerReader(point)))
      return 'invalid CRL distribution point';
  }
  return {};
};

const isDistributionPoint = (point: DerReader): boolean => {
  if (point.nextTag !== 0xa0) return true;
  const name = point.read(0xa0);
  const full = name && new DerReader(name).read(0xa0);
  if (full === undefined) return false;
  const names = new DerReader(full);
  while (names.nextTag === 0x86) if (names.read(0x86) === undefined) return false;
  return true;
};

const authorityInfoAccess: ExtensionReader = ({ critical, content }) => {
  if (critical) return 'authority info access incorrectly marked critical';
  const descriptions = sequenceIn(content);
  if (descriptions === undefined) return 'invalid authority info access';
  while (!descriptions.isEmpty) {
    const description = descriptions.read(derTag.sequence);
    const reader = description && new DerReader(description);
    if (reader?.readObjectId() === undefined || !reader.skipOptional(0x86))
      return 'invalid authority info access';
  }
  return {};
};

const certificatePolicies: ExtensionReader = ({ content }) => {
  const problem = 'invalid certificate policies';
  const list = sequenceIn(content);
  if (list === undefined) return problem;
  const asserted = new Set<string>();
  while (!list.isEmpty) {
    const policy = list.read(derTag.sequence);
    const id = policy && new DerReader(policy).read(derTag.objectId);
    if (id === undefined || !isObjectId(id) || asserted.has(toLatin1(id))) return problem;
    asserted.add(toLatin1(id));
  }
  return { policies: { asserted: [...asserted] } };
};

/** Checks for an object identifier with numbers of any size in their shortest form. */
const isObjectId = (content: Uint8Array): boolean =>
  content.length > 0 &&
  (content.at(-1) ?? 0) < 0x80 &&
  content.every((byte, at) => byte !== 0x80 || (at > 0 && (content[at - 1] ?? 0) >= 0x80));

const policyMappings: ExtensionReader = ({ content }) => {
  const problem = 'invalid policy mappings extension';
  const list = sequenceIn(content);
  if (list === undefined) return problem;
  const mappings: { readonly issuer: string; readonly subject: string }[] = [];
  while (!list.isEmpty) {
    const pair = list.read(derTag.sequence);
    const reader = pair && new DerReader(pair);
    const issuer = reader?.read(derTag.objectId);
    const subject = reader?.read(derTag.objectId);
    if (issuer === undefined || subject === undefined) return problem;
    mappings.push({ issuer: toLatin1(issuer), subject: toLatin1(subject) });
  }
  return { policies: { mappings } };
};

const policyConstraints: ExtensionReader = ({ content }) => {
  const problem = 'invalid policy constraints extension';
  const reader = sequenceIn(content);
  if (reader === undefined) return problem;
  let policies: Partial<PolicyExtensions> = {};
  if (reader.nextTag === 0x80) {
    const requireExplicit = reader.readInteger(0x80);
    if (requireExplicit === undefined || !isInt64(requireExplicit)) return problem;
    policies = { requireExplicit };
  }
  if (reader.nextTag === 0x81) {
    const inhibitMapping = reader.readInteger(0x81);
    if (inhibitMapping === undefined || !isInt64(inhibitMapping)) return problem;
    policies = { ...policies, inhibitMapping };
  }
  return { policies };
};

const inhibitAnyPolicy: ExtensionReader = ({ content }) => {
  const inhibitAny = new DerReader(content).readInteger();
  return inhibitAny === undefined || !isInt64(inhibitAny)
    ? 'invalid inhibit any policy extension'
    : { policies: { inhibitAny } };
};

const readers: ReadonlyMap<string, ExtensionReader> = new Map([
  ['2.5.29.14', subjectKeyId],
  ['2.5.29.15', keyUsage],
  ['2.5.29.17', alternativeNames],
  ['2.5.29.19', basicConstraints],
  ['2.5.29.30', nameConstraints],
  ['2.5.29.31', crlDistributionPoints],
  ['2.5.29.32', certificatePolicies],
  ['2.5.29.33', policyMappings],
  ['2.5.29.35', authorityKeyId],
  ['2.5.29.36', policyConstraints],
  ['2.5.29.37', extendedKeyUsage],
  ['2.5.29.54', inhibitAnyPolicy],
  ['1.3.6.1.5.5.7.1.1', authorityInfoAccess],
]);
