/** The words of the warning. */
import type { ChangeRow } from '@authgraph/language-server/protocol';

/** Says the worst first. */
export const lockOutText = (
  losers: readonly Pick<ChangeRow, 'sample'>[],
  rows: readonly Pick<ChangeRow, 'kind'>[],
): string => {
  const names = losers.map(({ sample }) => sample.name);
  const stay = rows.length - losers.length;
  if (losers.length > 1 && stay === 0) {
    return `AuthGraph: nobody in your ${rows.length} samples can log in any more.`;
  }
  const [first = '', second] = names;
  if (second === undefined) return `AuthGraph: ${first} can no longer log in.`;
  const rest = names.length === 2 ? second : `${names.length - 1} others`;
  return `AuthGraph: ${first} and ${rest} can no longer log in.`;
};
