/**
 * Requests repeat each other: the same path, the same Accept. What a pure function made of a short text
 * is remembered for a while, so that it is made once.
 */
import { rememberedTexts } from '../limits.ts';

/** As `make`, which must answer the same text always alike, with a value that nobody changes. */
export const rememberRecent = <T>(make: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, { readonly value: T }>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before.value;
    const value = make(text);
    if (text.length > rememberedTexts.length) return value;
    // Whoever sends ever new texts takes the memory of all; it is soon made again.
    if (known.size >= rememberedTexts.count) known.clear();
    known.set(text, { value });
    return value;
  };
};
