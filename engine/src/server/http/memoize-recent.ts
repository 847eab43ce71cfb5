/** Memoizes pure functions of short strings, since requests repeat paths and header values. */
import { memoizedStrings } from '../limits.ts';

/** Returns a memoized `compute`, which must be pure and whose result must not be modified. */
export const memoizeRecent = <T>(compute: (text: string) => T): ((text: string) => T) => {
  const cache = new Map<string, { readonly value: T }>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached.value;
    const value = compute(text);
    if (text.length > memoizedStrings.length) return value;
    // Clients that send ever new strings cannot grow the cache; repopulating it is cheap.
    if (cache.size >= memoizedStrings.count) cache.clear();
    cache.set(text, { value });
    return value;
  };
};
