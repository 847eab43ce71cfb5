/**
 * Records what an expression distinguishes about claims. It never evaluates anything: the evaluator decides, and the
 * reader only finds the claims on which it has to be tried. It knows a fixed list of constructs; every other construct
 * is reported as unsupported, and no proof may depend on it.
 */
import {
  constantMachine,
  type LiteralTest,
  lengthMachine,
  literalMachine,
  orderMachine,
} from '../../cel/text-machines/literal-machines.ts';
import { regexMachine } from '../../cel/text-machines/regex-machine.ts';
import type { StringMachine } from '../../cel/text-machines/string-machine.ts';
import { partCountMachine } from '../../cel/text-machines/string-wrappers.ts';
import type { Release } from '../../model/release.ts';
import {
  type ClaimPath,
  ClaimReads,
  elementStep,
  type LiteralComparison,
  pathKey,
} from './claim-reads.ts';
import {
  type ClaimValue,
  fixedStartOf,
  isAlwaysString,
  isDecided,
  numberConstant,
  type PossibleValue,
  stringConstant,
} from './possible-values.ts';

/** The values of the variables of an expression. */
export type Variables = ReadonlyMap<string, readonly PossibleValue[]>;

/** How many elements determine the result of a statement about a list. */
interface ElementTest {
  readonly weight?: number;
  readonly counts?: boolean;
}

interface ReaderOptions {
  readonly release: Release;
  readonly issuer: string | undefined;
  readonly scope?: string;
}

export class ExpressionReader {
  readonly reads = new ClaimReads();
  /** The constructs that prevent a proof, in plain words. */
  readonly unsupported = new Set<string>();
  readonly release: Release;
  /** The value of `claims.iss`; `undefined` if the issuer has several spellings. */
  readonly issuer: string | undefined;
  /** Distinguishes statements about equal code with different variables. */
  readonly scope: string;
  /** The number of loops around the current expression. */
  loopDepth = 0;
  /** Whether the expression depends on claims that it does not name. */
  readsAllClaims = false;

  constructor({ release, issuer, scope = '' }: ReaderOptions) {
    this.release = release;
    this.issuer = issuer;
    this.scope = scope;
  }

  /** Records that an expression contains a construct that is not supported, with its operands. */
  reject(construct: string, ...operands: (readonly PossibleValue[])[]): readonly PossibleValue[] {
    this.unsupported.add(construct);
    for (const operand of operands) this.readAll(operand);
    return [{ kind: 'decided' }];
  }

  /** Records that the kind of a value matters, and whether evaluating it is an error. */
  read(value: PossibleValue): void {
    switch (value.kind) {
      case 'claim':
        this.#readClaim(value);
        break;
      case 'list':
        for (const path of value.paths) this.reads.at(path);
        this.readAll(value.elements);
        break;
      case 'joined':
        this.readAll(value.parts);
        break;
      case 'size':
        this.read(value.of);
        break;
      case 'split':
        this.#readClaim(value.string);
        break;
      case 'optional':
        this.readAll(value.values);
        break;
      case 'user':
        for (const field of value.fields.values()) this.readAll(field);
        break;
      case 'extra':
        for (const lists of value.lists.values()) this.readAll(lists);
        break;
    }
  }

  /** Records a read, except for the variable `claims` itself, of which only fields are read. */
  readUnlessRoot(value: PossibleValue): void {
    if (value.kind !== 'claim' || value.path.length > 0) this.read(value);
  }

  readAll(values: readonly PossibleValue[]): void {
    for (const value of values) this.read(value);
  }

  /** Records a comparison of strings with a literal. */
  testLiteral(value: PossibleValue, test: LiteralTest, literal: string): void {
    const key = `${test} ${JSON.stringify(literal)}`;
    if (value.kind === 'joined' && isDecidedByStart(value, test, literal)) this.read(value);
    else this.#testString(value, key, () => literalMachine(test, literal), { test, literal });
  }

  /** Records that it matters whether a string is empty. */
  testEmptiness(value: PossibleValue): void {
    if (value.kind !== 'joined') this.testLiteral(value, 'equals', '');
    else for (const part of value.parts) this.testEmptiness(part);
  }

  /** Records a match with a regular expression. */
  testRegex(value: PossibleValue, pattern: string): void {
    this.#testString(value, `matches ${pattern}`, () => regexMachine(pattern));
  }

  /** Records that a value is compared with another one for equality. */
  testEquality(left: PossibleValue, right: PossibleValue): void {
    if (isDecided(left) && isDecided(right)) return;
    if (isDecided(left)) this.#testEqualityWith(right, left);
    else if (isDecided(right)) this.#testEqualityWith(left, right);
    else if (isEmptyList(right)) this.testSize(left, 0);
    else if (isEmptyList(left)) this.testSize(right, 0);
    else if (left.kind === 'claim' && right.kind === 'claim') this.#compareClaims(left, right);
    else this.reject('values of several claims are compared', [left], [right]);
  }

  /** Records that a value is ordered against another one. */
  testOrder(left: PossibleValue, right: PossibleValue): void {
    if (isDecided(left) && isDecided(right)) return;
    if (isDecided(left)) this.#testOrderWith(right, left);
    else if (isDecided(right)) this.#testOrderWith(left, right);
    else this.reject('two claims are ordered', [left], [right]);
  }

  /** Records that the size of a value is compared with a number. */
  testSize(value: PossibleValue, size: number): void {
    const largest = Math.max(size, 0);
    switch (value.kind) {
      case 'claim': {
        this.#testString(value, `size ${largest}`, () => lengthMachine(largest + 1));
        if (isAlwaysString(value)) return;
        const reads = this.reads.at(value.path);
        reads.largestSize = Math.max(reads.largestSize, largest);
        reads.countsElements ||= largest > 0;
        break;
      }
      case 'list':
        this.read(value);
        this.testElements(value.paths, `size ${largest} ${value.key}`, {
          weight: largest + 1,
          counts: largest > 0,
        });
        break;
      case 'split': {
        const { separator } = value;
        const key = `parts ${largest} ${JSON.stringify(separator)}`;
        this.#testString(value.string, key, () => partCountMachine(separator, largest + 2));
        break;
      }
      case 'constant':
      case 'decided':
        break;
      default:
        this.reject('the size of a computed value is compared', [value]);
    }
  }

  /**
   * Records a statement about the elements of lists: `weight` elements of each list determine its
   * result. `counts` says whether equal elements count more than once.
   */
  testElements(
    paths: readonly ClaimPath[],
    code: string,
    { weight = 1, counts = false }: ElementTest = {},
  ): void {
    for (const path of paths) {
      const reads = this.reads.at(path);
      reads.statements.set(`${this.scope} ${code}`, weight);
      reads.countsElements ||= counts;
    }
  }

  #compareClaims(left: ClaimValue, right: ClaimValue): void {
    const isComparable = [left, right].every(
      (value) => !isAlwaysString(value) && value.path.length > 0 && !isElement(value.path),
    );
    if (!isComparable) this.reject('parts of two claims are compared', [left], [right]);
    else if (pathKey(left.path) !== pathKey(right.path)) {
      this.reads.testEqualPaths(left.path, right.path);
    }
  }

  #testEqualityWith(value: PossibleValue, other: PossibleValue): void {
    this.read(value);
    if (value.kind === 'size') {
      this.#testSizeWith(value, other);
      return;
    }
    if (other.kind === 'decided') {
      this.reject('a claim is compared with a computed value', [value]);
      return;
    }
    const literal = stringConstant(other);
    const number = numberConstant(other);
    if (value.kind === 'joined' && literal === '') this.testEmptiness(value);
    else if (value.kind === 'joined' && literal !== undefined) {
      this.testLiteral(value, 'equals', literal);
    } else if (value.kind === 'joined' && number !== undefined) {
      this.reject('joined claims are compared', [value]);
    } else if (value.kind === 'claim' && literal !== undefined) {
      this.testLiteral(value, 'equals', literal);
    } else if (value.kind === 'claim' && number !== undefined && !isAlwaysString(value)) {
      this.#testNumber(value, number);
    }
  }

  #testOrderWith(value: PossibleValue, other: PossibleValue): void {
    this.read(value);
    if (value.kind === 'size') {
      this.#testSizeWith(value, other);
      return;
    }
    const literal = stringConstant(other);
    const number = numberConstant(other);
    if (value.kind !== 'claim' || other.kind === 'decided') {
      this.reject('a computed value is ordered', [value]);
    } else if (literal !== undefined) {
      const key = `order ${JSON.stringify(literal)}`;
      this.#testString(value, key, () => orderMachine(literal));
    } else if (number !== undefined && !isAlwaysString(value)) {
      this.#testNumber(value, number);
      this.reads.at(value.path).isOrdered = true;
    }
  }

  #testSizeWith(size: PossibleValue & { readonly kind: 'size' }, other: PossibleValue): void {
    const number = numberConstant(other);
    if (number !== undefined) this.testSize(size.of, Math.floor(number));
    else if (other.kind === 'decided') {
      this.reject('the size of a claim is compared with a computed value', [size]);
    }
  }

  #testNumber(value: ClaimValue, number: number): void {
    if (!Number.isSafeInteger(number) && this.release < exactNumbersSince) {
      this.reject(`numbers before 1.${exactNumbersSince} are compared`, [value]);
    }
    this.reads.at(value.path).numbers.add(number);
  }

  #readClaim(value: ClaimValue): void {
    const [root] = value.path;
    if (root === undefined) {
      this.unsupported.add('all claims are read at once');
      this.readsAllClaims = true;
      return;
    }
    const reads = this.reads.at(value.path);
    if (timeClaims.has(root)) this.unsupported.add(`the claim ${root} depends on the time`);
    if (value.path.includes('__proto__')) this.unsupported.add('the claim __proto__ is read');
    if (value.isConverted && this.release < exactNumbersSince) {
      this.unsupported.add(`string() converts numbers differently before 1.${exactNumbersSince}`);
    }
    if (isAlwaysString(value)) {
      const test = {
        machine: wrapAll(constantMachine(), value),
        isConverted: value.isConverted,
        // Every string passes.
        comparison: { test: 'startsWith', literal: '', wrappers: value.wrappers },
      } as const;
      reads.strings.set(`any ${wrapperKey(value)}`, test);
    }
  }

  #testString(
    value: PossibleValue,
    key: string,
    create: () => StringMachine | undefined,
    comparison?: Omit<LiteralComparison, 'wrappers'>,
  ): void {
    this.read(value);
    if (isDecided(value)) return;
    if (value.kind === 'joined') {
      this.reject('joined claims are tested', [value]);
      return;
    }
    if (value.kind !== 'claim') return;
    const machine = create();
    if (machine === undefined) {
      this.reject('a regular expression is too large', [value]);
      return;
    }
    const { strings } = this.reads.at(value.path);
    strings.set(`${key} ${wrapperKey(value)}`, {
      machine: wrapAll(machine, value),
      isConverted: value.isConverted,
      comparison: comparison && { ...comparison, wrappers: value.wrappers },
    });
  }
}

/** Checks whether a path leads to the elements of a list. */
export const isElement = (path: ClaimPath): boolean => path.at(-1) === elementStep;

/** The first release in which the numbers of claims are doubles in expressions. */
export const exactNumbersSince: Release = 34;

/** Claims that the verification of a token compares with the time. */
const timeClaims: ReadonlySet<string> = new Set(['exp', 'nbf', 'iat']);

/** Checks whether the literal at the start of a string decides a test alone. */
const isDecidedByStart = (value: PossibleValue, test: LiteralTest, literal: string): boolean => {
  const start = fixedStartOf(value);
  const isPossible = start.startsWith(literal) || literal.startsWith(start);
  if (test === 'equals') return !isPossible;
  return test === 'startsWith' && (!isPossible || start.length >= literal.length);
};

const isEmptyList = (value: PossibleValue): boolean =>
  value.kind === 'list' && value.elements.length === 0 && value.paths.length === 0;

const wrapperKey = ({ wrappers, isConverted }: ClaimValue): string =>
  [isConverted ? 'string' : '', ...wrappers.map(({ key }) => key)].join('.');

/** The first function that is applied reads the string itself, so it is the outermost machine. */
const wrapAll = (machine: StringMachine, { wrappers }: ClaimValue): StringMachine =>
  wrappers.reduceRight((inner, wrapper) => wrapper.wrap(inner), machine);
