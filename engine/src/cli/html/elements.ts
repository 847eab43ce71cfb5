/** Parts that several pages have: headings, tables, and regions that scroll on a narrow screen. */

/** The level of the headings of a section, which may be a page or a part of one. */
export type HeadingLevel = 2 | 3 | 4;

export const headingBelow = (level: HeadingLevel): HeadingLevel => (level === 2 ? 3 : 4);

/** `label` names the region; it is escaped already, and unique on the page. */
export const scrollRegion = (label: string, content: string): string =>
  `<div class="scroll" tabindex="0" role="region" aria-label="${label}">\n${content}\n</div>`;

export interface Finding {
  /** Identifies the heading, and is unique on the page. */
  readonly id: string;
  /** A class of the style sheet. */
  readonly severity: string;
  /** The heading and the parts below it; all of them are escaped already. */
  readonly heading: string;
  readonly parts: readonly string[];
}

/** Returns an article whose accessible name is its heading. */
export const finding = ({ id, severity, heading, parts }: Finding): string =>
  [
    `<article class="finding ${severity}" aria-labelledby="${id}">`,
    `<h3 id="${id}">${heading}</h3>`,
    ...parts,
    '</article>',
  ].join('\n');

export interface Table {
  readonly caption: string;
  /** Whether only screen readers read the caption, because a heading is above the table. */
  readonly hidesCaption?: boolean;
  readonly columns: readonly string[];
  /** Cells, of which the first is the heading of its row; all of them are escaped already. */
  readonly rows: readonly (readonly string[])[];
}

export const table = ({ caption, hidesCaption = false, columns, rows }: Table): string =>
  [
    '<table>',
    `<caption${hidesCaption ? ' class="unseen"' : ''}>${caption}</caption>`,
    `<thead><tr>${columns.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>`,
    '<tbody>',
    ...rows.map(
      ([first, ...others]) =>
        `<tr><th scope="row">${first ?? ''}</th>${others.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
    ),
    '</tbody>',
    '</table>',
  ].join('\n');
