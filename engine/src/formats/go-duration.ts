/** Durations in Go's syntax: `1h30m`, `1.5s`, `-2m`, `0`, with Go's errors. */
import { goQuote } from './go-quote.ts';

export type GoDuration =
  | { readonly kind: 'duration'; readonly milliseconds: number }
  /** Go's error message. */
  | { readonly kind: 'error'; readonly message: string };

/** Parses like Go's `time.ParseDuration`. */
export const parseGoDuration = (text: string): GoDuration => {
  const parseError = (what: string): GoDuration => ({
    kind: 'error',
    message: `time: ${what} ${goQuote(text)}`,
  });
  const body = text.replace(/^[+-]/, '');
  if (body === '0') return { kind: 'duration', milliseconds: 0 };
  if (body === '') return parseError('invalid duration');
  let total = 0;
  let rest = body;
  while (rest !== '') {
    const amount = /^(?:\d+\.?\d*|\.\d+)/.exec(rest)?.[0];
    if (amount === undefined) return parseError('invalid duration');
    rest = rest.slice(amount.length);
    const unit = /^[^\d.]*/.exec(rest)?.[0] ?? '';
    if (unit === '') return parseError('missing unit in duration');
    const factor = millisecondsByUnit.get(unit);
    if (factor === undefined) return parseError(`unknown unit ${goQuote(unit)} in duration`);
    total += Number(amount) * factor;
    if (total > maxMilliseconds) return parseError('invalid duration');
    rest = rest.slice(unit.length);
  }
  return { kind: 'duration', milliseconds: text.startsWith('-') ? -total : total };
};

/** The maximum of 64-bit nanoseconds. */
const maxMilliseconds = 2 ** 63 / 1e6;

const millisecondsByUnit: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
