/** Where the columns of the picture stand, in pixels. */
import { columnNames, type Lane } from './graph-lanes.ts';

export const sizes = {
  margin: 16,
  /** Above the lanes. */
  heading: 24,
  /** Height of a box, and what lies between two of a stack. */
  box: 44,
  between: 8,
  /** Inside of a lane, and between two. */
  laneEdge: 8,
  lanes: 6,
  /** Width of the request's box. */
  request: 118,
  /** Between two columns. */
  gap: 36,
  /** Between the edge of a box and its text. */
  inset: 10,
  /** Widths of letters; those of the label are taken for wide, as nobody knows the font. */
  labelLetter: 7.4,
  codeLetter: 6.7,
} as const;

/** Where the first column begins. */
export const requestWidth = sizes.margin + sizes.request + sizes.gap;

export interface GraphColumn {
  readonly name: string;
  /** In the columns of a lane. */
  readonly index: number;
  readonly x: number;
  readonly width: number;
}

const widths = [216, 140, 226, 226, 226, 196] as const;

/** Without those that no lane has a step in. */
export const columnsOf = (lanes: readonly Lane[]): readonly GraphColumn[] => {
  let x: number = requestWidth;
  return columnNames.flatMap((name, index) => {
    if (lanes.every(({ columns }) => (columns[index] ?? []).length === 0)) return [];
    const column = { name, index, x, width: widths[index] ?? 0 };
    x += column.width + sizes.gap;
    return [column];
  });
};
