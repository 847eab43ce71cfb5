/** Constraints on domain names: which of a list covers a name. Case does not matter. */
import type { FindConstraint, ConstraintSide } from './name-constraints.ts';
import { sortedSearch } from './sorted-search.ts';

/** `undefined` for an empty list. The empty constraint covers all names. */
export const domainConstraints = (
  constraints: readonly string[],
  side: ConstraintSide,
): FindConstraint<string> | undefined => {
  if (constraints.length === 0) return undefined;
  if (constraints.includes('')) return () => '';
  const { reduced, find } = sortedSearch(constraints, { compare, covers });
  // A wildcard may stand for an excluded name: `*.example.com` for `mail.example.com`.
  const siblings = new Map(
    (side === 'permitted' ? [] : reduced).map((name) => [parentOf(name), name.toLowerCase()]),
  );
  siblings.delete('');
  return (name) => find(name) ?? (name.startsWith('*') ? siblings.get(parentOf(name)) : undefined);
};

/** From the first dot on; empty without one. */
const parentOf = (name: string): string => {
  const dot = name.indexOf('.');
  return dot === -1 ? '' : name.slice(dot).toLowerCase();
};

/** Letters from the end, the dot before all others: a domain stands right before what is below it. */
const compare = (left: string, right: string): number => {
  const shorter = Math.min(left.length, right.length);
  for (let back = 1; back <= shorter; back += 1) {
    const difference =
      rank(left.charCodeAt(left.length - back)) - rank(right.charCodeAt(right.length - back));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
};

const rank = (code: number): number => {
  if (code === 0x2e) return 0;
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
};

/** `example.com` covers itself and what is below it, `.example.com` only the latter. */
const covers = (constraint: string, name: string): boolean => {
  const end = name.slice(Math.max(name.length - constraint.length, 0));
  if (constraint.length > name.length || lower(end) !== lower(constraint)) return false;
  if (constraint.startsWith('.') || name.length === constraint.length) return true;
  return name.charAt(name.length - constraint.length - 1) === '.';
};

const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
