/**
 * The possible values of an expression, as far as they follow from its claims. Which of several alternatives is the
 * value depends only on what has been recorded as read.
 */
import type { StringWrapper } from '../../cel/text-machines/string-wrappers.ts';
import type { ClaimPath } from './claim-reads.ts';

/** The value of a claim, after functions of its string. */
export interface ClaimValue {
  readonly kind: 'claim';
  readonly path: ClaimPath;
  /** The functions, in the order in which they are applied. */
  readonly wrappers: readonly StringWrapper[];
  /** Whether `string()` was applied first. */
  readonly isConverted: boolean;
}

/** A list whose elements have these possible values. */
export interface ListValue {
  readonly kind: 'list';
  /** Equal only for lists of equal code. */
  readonly key: string;
  readonly elements: readonly PossibleValue[];
  /** The paths of the lists whose elements it contains; empty for a list of fixed length. */
  readonly paths: readonly ClaimPath[];
}

export type PossibleValue =
  | ClaimValue
  | ListValue
  | { readonly kind: 'constant'; readonly type: string; readonly value: unknown }
  /** A value that follows from what has been recorded as read. */
  | { readonly kind: 'decided' }
  /** Strings that are joined: at least two of them depend on claims. */
  | { readonly kind: 'joined'; readonly parts: readonly PossibleValue[] }
  | { readonly kind: 'size'; readonly of: PossibleValue }
  | { readonly kind: 'split'; readonly string: ClaimValue; readonly separator: string }
  | { readonly kind: 'optional'; readonly values: readonly PossibleValue[] }
  | { readonly kind: 'user'; readonly fields: ReadonlyMap<string, readonly PossibleValue[]> }
  /** The lists of extra values by key; a key whose list is empty is absent. */
  | { readonly kind: 'extra'; readonly lists: ReadonlyMap<string, readonly ListValue[]> };

export const decided: PossibleValue = { kind: 'decided' };

/** Returns the value of a claim. */
export const claimValue = (path: ClaimPath): ClaimValue => ({
  kind: 'claim',
  path,
  wrappers: [],
  isConverted: false,
});

/** Applies a function of strings. */
export const wrapClaim = (value: ClaimValue, wrapper: StringWrapper): ClaimValue => ({
  ...value,
  wrappers: [...value.wrappers, wrapper],
});

/** Checks whether the value of a claim is a string, if it has a value. */
export const isAlwaysString = ({ wrappers, isConverted }: ClaimValue): boolean =>
  isConverted || wrappers.length > 0;

/** Checks whether a value follows from what has been recorded as read. */
export const isDecided = ({ kind }: PossibleValue): boolean =>
  kind === 'constant' || kind === 'decided';

/** Returns the string of a constant. */
export const stringConstant = (value: PossibleValue | undefined): string | undefined =>
  value?.kind === 'constant' && typeof value.value === 'string' && value.type === 'string'
    ? value.value
    : undefined;

/** Returns the number of a constant. */
export const numberConstant = (value: PossibleValue | undefined): number | undefined =>
  value?.kind === 'constant' && ['int', 'uint', 'double'].includes(value.type)
    ? Number(value.value)
    : undefined;

/** Returns a literal that a string begins with, whatever the claims are. */
export const fixedStartOf = (value: PossibleValue | undefined): string => {
  if (value?.kind === 'joined') return fixedStartOf(value.parts[0]);
  if (value?.kind === 'claim') return value.wrappers.at(-1)?.prefix ?? '';
  return stringConstant(value) ?? '';
};
