/** Dates in a settings file, such as 2027-01-31. */

/** Returns the start of the next day (UTC); `undefined` for a date that does not exist. */
export const dayAfter = (date: string): number | undefined => {
  const start = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(start) || !new Date(start).toISOString().startsWith(date)
    ? undefined
    : start + 24 * 60 * 60 * 1000;
};
