/** Extensions of certificates: what Go's parser refuses in those that an authority has. */
import { DerReader, derTag } from './der.ts';
import { goQuote } from './go-quote.ts';

interface Extension {
  readonly id: string;
  readonly critical: boolean;
  readonly value: DerReader;
}

/** All are read before any is understood. */
export const extensionsProblem = (list: DerReader): string | undefined => {
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
  for (const extension of extensions.values()) {
    const problem = readers.get(extension.id)?.(extension);
    if (problem !== undefined) return `x509: ${problem}`;
  }
  return undefined;
};

/** A text is the problem. */
const readExtension = (reader: DerReader): Extension | string => {
  const id = reader.readObjectId();
  if (id === undefined) return 'x509: malformed extension OID field';
  const critical = reader.nextTag === derTag.boolean ? reader.readBoolean() : false;
  if (critical === undefined) return 'x509: malformed extension critical field';
  const value = reader.read(derTag.octetString);
  if (value === undefined) return 'x509: malformed extension value field';
  return { id, critical, value: new DerReader(value) };
};

type ExtensionReader = (extension: Extension) => string | undefined;

const subjectKeyId: ExtensionReader = ({ critical, value }) => {
  if (critical) return 'subject key identifier incorrectly marked critical';
  return value.read(derTag.octetString) === undefined
    ? 'invalid subject key identifier'
    : undefined;
};

const authorityKeyId: ExtensionReader = ({ critical, value }) => {
  if (critical) return 'authority key identifier incorrectly marked critical';
  const content = value.read(derTag.sequence);
  const reader = content === undefined ? undefined : new DerReader(content);
  if (reader === undefined || (reader.nextTag === 0x80 && reader.read(0x80) === undefined))
    return 'invalid authority key identifier';
  return undefined;
};

const keyUsage: ExtensionReader = ({ value }) =>
  value.readBitString() === undefined ? 'invalid key usage' : undefined;

const basicConstraints: ExtensionReader = ({ value }) => {
  const content = value.read(derTag.sequence);
  const reader = content === undefined ? undefined : new DerReader(content);
  if (reader === undefined) return 'invalid basic constraints';
  if (reader.nextTag === derTag.boolean && reader.readBoolean() === undefined)
    return 'invalid basic constraints';
  if (reader.nextTag !== derTag.integer) return undefined;
  const length = reader.readInteger();
  return length === undefined || length < 0n || length > 2n ** 63n - 1n
    ? 'invalid basic constraints'
    : undefined;
};

const extendedKeyUsage: ExtensionReader = ({ value }) => {
  const content = value.read(derTag.sequence);
  const reader = content === undefined ? undefined : new DerReader(content);
  if (reader === undefined) return 'invalid extended key usages';
  while (!reader.isEmpty)
    if (reader.readObjectId() === undefined) return 'invalid extended key usages';
  return undefined;
};

const readers: ReadonlyMap<string, ExtensionReader> = new Map([
  ['2.5.29.14', subjectKeyId],
  ['2.5.29.15', keyUsage],
  ['2.5.29.19', basicConstraints],
  ['2.5.29.35', authorityKeyId],
  ['2.5.29.37', extendedKeyUsage],
]);
