/** Formats a number with a comma between thousands. */
export const formatCount = (count: number): string => new Intl.NumberFormat('en-US').format(count);

/** Formats a count: `1 group`, `2 groups`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;
