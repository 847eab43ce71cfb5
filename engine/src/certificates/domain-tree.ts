/** Finds the name constraint that covers a domain name. Case does not matter. */
import { type ConstraintSide, type FindConstraint, sortedSearch } from './sorted-search.ts';

/**
 * Creates a search over the constraints; `undefined` for an empty list. An empty constraint covers
 * all names.
 */
export const domainConstraints = (
  constraints: readonly string[],
  side: ConstraintSide,
): FindConstraint<string> | undefined => {
  if (constraints.length === 0) return undefined;
  if (constraints.includes('')) return () => '';
  const { reduced, find } = sortedSearch(constraints, { compare, covers });
  // A wildcard may match an excluded name: `*.example.com` matches `mail.example.com`.
  const siblings = new Map(
    (side === 'permitted' ? [] : reduced).map((name) => [parentOf(name), name.toLowerCase()]),
  );
  siblings.delete('');
  return (name) => find(name) ?? (name.startsWith('*') ? siblings.get(parentOf(name)) : undefined);
};

/** Returns the part from the first dot on; empty if there is none. */
const parentOf = (name: string): string => {
  const dot = name.indexOf('.');
  return dot === -1 ? '' : name.slice(dot).toLowerCase();
};

/**
 * Compares names from their end, with the dot before all other characters, so that a domain sorts
 * right before its subdomains.
 */
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

/**
 * Returns true if the constraint covers the name: `example.com` covers itself and its subdomains,
 * `.example.com` the subdomains only.
 */
const covers = (constraint: string, name: string): boolean => {
  const end = name.slice(Math.max(name.length - constraint.length, 0));
  if (constraint.length > name.length || lower(end) !== lower(constraint)) return false;
  if (constraint.startsWith('.') || name.length === constraint.length) return true;
  return name.charAt(name.length - constraint.length - 1) === '.';
};

const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
