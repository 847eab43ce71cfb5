/** Bounds the lists of a report: a browser cannot show a million rows, and no one reads them. */

/** The most entries of a list of a report. */
const maxShownEntries = 1000;

/** Returns the first entries, and a paragraph with the number of the others; empty if there are none. */
export const limited = <Entry>(
  entries: readonly Entry[],
): { readonly shown: readonly Entry[]; readonly note: string } => {
  const rest = entries.length - maxShownEntries;
  return {
    shown: entries.slice(0, maxShownEntries),
    note: rest > 0 ? `\n<p>The other ${rest} are left out.</p>` : '',
  };
};
