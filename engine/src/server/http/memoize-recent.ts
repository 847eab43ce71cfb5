/**
 * Requests repeat each other: the same path, the same Accept. What a pure function made of a short text
 * is remembered for a while, so that it is made once.
 */
import { memoizedStrings } from '../limits.ts';

/** As `make`, which must answer the same text always alike, with a value that nobody changes. */
export const memoizeRecent = <T>(compute: (text: string) => T): ((text: string) => T) => {
  const cache = new Map<string, { readonly value: T }>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached.value;
    const value = compute(text);
    if (text.length > memoizedStrings.length) return value;
    // Whoever sends ever new texts takes the memory of all; it is soon made again.
    if (cache.size >= memoizedStrings.count) cache.clear();
    cache.set(text, { value });
    return value;
  };
};
