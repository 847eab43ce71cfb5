/** Semantic versions, parsed and compared like Kubernetes' semver library. */
import { goQuote } from '../../formats/go-quote.ts';
import { byCodePoint } from '../../formats/string-order.ts';
import { CelError, CelObject, type CelResult, type CelValue, noSuchOverload } from './value.ts';

type Identifier = bigint | string;

/** A semantic version. */
export class CelSemver extends CelObject {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly Identifier[];
  readonly build: readonly string[];
  constructor(
    numbers: readonly [bigint, bigint, bigint],
    prerelease: readonly Identifier[],
    build: readonly string[],
  ) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
    this.build = build;
  }
  get typeName(): string {
    return 'kubernetes.Semver';
  }
  override get itemCount(): number {
    return 1 + this.prerelease.length;
  }
  override equals(other: CelValue): CelResult {
    return other instanceof CelSemver ? compareVersions(this, other) === 0 : noSuchOverload;
  }
  override toString(): string {
    const pre = this.prerelease.length === 0 ? '' : `-${this.prerelease.join('.')}`;
    const build = this.build.length === 0 ? '' : `+${this.build.join('.')}`;
    return this.numbers.join('.') + pre + build;
  }
}

/** Parses a version. */
export const parseSemver = (text: string): CelSemver | CelError => {
  if (text === '') return new CelError('Version string empty');
  const [majorText, minorText, ...rest] = text.split('.');
  if (majorText === undefined || minorText === undefined || rest.length === 0) {
    return new CelError('No Major.Minor.Patch elements found');
  }
  const major = parseVersionNumber(majorText, 'major', 'Major');
  if (major instanceof CelError) return major;
  const minor = parseVersionNumber(minorText, 'minor', 'Minor');
  if (minor instanceof CelError) return minor;
  const [beforeBuild, build] = cut(rest.join('.'), '+');
  const [patchText, pre] = cut(beforeBuild, '-');
  const patch = parseVersionNumber(patchText, 'patch', 'Patch');
  if (patch instanceof CelError) return patch;
  const prerelease = parsePrerelease(pre);
  if (prerelease instanceof CelError) return prerelease;
  const problem = buildProblem(build);
  return problem ?? new CelSemver([major, minor, patch], prerelease, build?.split('.') ?? []);
};

/**
 * Parses a version after normalizing it: it removes a leading `v` and leading zeroes, and adds
 * missing parts.
 */
export const parseNormalizedSemver = (text: string): CelSemver | CelError => {
  const withoutPrefix = text.startsWith('v') ? text.slice(1) : text;
  const [major = '', minor, ...rest] = withoutPrefix.split('.');
  const parts = [major, minor, rest.length === 0 ? undefined : rest.join('.')]
    .filter((part) => part !== undefined)
    .map(trimLeadingZeroes);
  if (parts.length === 3) return parseSemver(parts.join('.'));
  if (/[+-]/.test(parts.at(-1) ?? '')) {
    return new CelError('short version cannot contain PreRelease/Build meta data');
  }
  return parseSemver([...parts, '0', '0'].slice(0, 3).join('.'));
};

/** Returns -1, 0 or 1. Build metadata is ignored. */
export const compareVersions = (a: CelSemver, b: CelSemver): number => {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number > other ? 1 : -1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length - a.prerelease.length);
  }
  for (const [index, identifier] of a.prerelease.entries()) {
    const other = b.prerelease[index];
    if (other === undefined) return 1;
    const sign = compareIdentifiers(identifier, other);
    if (sign !== 0) return sign;
  }
  return a.prerelease.length < b.prerelease.length ? -1 : 0;
};

const compareIdentifiers = (a: Identifier, b: Identifier): number => {
  if (typeof a === 'string') return typeof b === 'string' ? Math.sign(byCodePoint(a, b)) : 1;
  if (typeof b === 'string') return -1;
  return a === b ? 0 : a > b ? 1 : -1;
};

const cut = (text: string, separator: string): readonly [string, string | undefined] => {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
};

const parseVersionNumber = (text: string, name: string, title: string): bigint | CelError => {
  if (!/^[0-9]*$/.test(text)) {
    return new CelError(`Invalid character(s) found in ${name} number ${goQuote(text)}`);
  }
  if (text.length > 1 && text.startsWith('0')) {
    return new CelError(`${title} number must not contain leading zeroes ${goQuote(text)}`);
  }
  return parseUint(text);
};

const parseUint = (text: string): bigint | CelError => {
  if (text === '') return new CelError('strconv.ParseUint: parsing "": invalid syntax');
  const value = BigInt(text);
  return value === BigInt.asUintN(64, value)
    ? value
    : new CelError(`strconv.ParseUint: parsing ${goQuote(text)}: value out of range`);
};

const parsePrerelease = (text: string | undefined): readonly Identifier[] | CelError => {
  const identifiers: Identifier[] = [];
  for (const part of text?.split('.') ?? []) {
    const identifier = parsePrereleaseIdentifier(part);
    if (identifier instanceof CelError) return identifier;
    identifiers.push(identifier);
  }
  return identifiers;
};

const parsePrereleaseIdentifier = (part: string): Identifier | CelError => {
  if (part === '') return new CelError('Prerelease is empty');
  if (!/^[0-9]+$/.test(part)) {
    return /^[0-9A-Za-z-]+$/.test(part)
      ? part
      : new CelError(`Invalid character(s) found in prerelease ${goQuote(part)}`);
  }
  return part.length > 1 && part.startsWith('0')
    ? new CelError(`Numeric PreRelease version must not contain leading zeroes ${goQuote(part)}`)
    : parseUint(part);
};

const buildProblem = (text: string | undefined): CelError | undefined => {
  for (const part of text?.split('.') ?? []) {
    if (part === '') return new CelError('Build meta data is empty');
    if (!/^[0-9A-Za-z-]+$/.test(part)) {
      return new CelError(`Invalid character(s) found in build meta data ${goQuote(part)}`);
    }
  }
  return undefined;
};

const trimLeadingZeroes = (part: string): string => {
  if (part.length <= 1) return part;
  const stripped = part.replace(/^0+/, '');
  return /^[0-9]/.test(stripped) ? stripped : `0${stripped}`;
};
