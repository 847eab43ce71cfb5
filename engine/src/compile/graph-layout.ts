/** Positions and sizes of the picture, in pixels. */
import { columnNames, type Lane, type StepsLane } from './graph-lanes.ts';

export const sizes = {
  margin: 16,
  /** Height of the headings above the lanes. */
  heading: 24,
  /** Height of a box, and the distance between two boxes of a stack. */
  box: 44,
  between: 8,
  /** Height of a row, which is a folded lane. */
  row: 24,
  /** Distance between two rows. */
  rows: 4,
  /** Padding of a lane, and the distance between two lanes. */
  laneEdge: 8,
  lanes: 6,
  /** Width of the request's box. */
  request: 118,
  /** Distance between two columns. */
  gap: 36,
  /** Distance between the edge of a box and its text. */
  inset: 10,
  /**
   * Widths of letters. The width of a label's letter is an upper bound, because the font is not
   * known.
   */
  labelLetter: 7.4,
  codeLetter: 6.7,
} as const;

/** The left edge of the first column. */
export const requestWidth = sizes.margin + sizes.request + sizes.gap;

export interface GraphColumn {
  readonly name: string;
  /** Index of the column in the columns of a lane. */
  readonly index: number;
  readonly x: number;
  readonly width: number;
}

const widths = [216, 140, 226, 226, 226, 196] as const;

/** Returns the columns in which at least one lane has a step. */
export const columnsOf = (lanes: readonly Lane[]): readonly GraphColumn[] => {
  let x: number = requestWidth;
  const steps = lanes.filter((lane): lane is StepsLane => lane.kind === 'steps');
  return columnNames.flatMap((name, index) => {
    if (steps.every(({ columns }) => (columns[index] ?? []).length === 0)) return [];
    const column = { name, index, x, width: widths[index] ?? 0 };
    x += column.width + sizes.gap;
    return [column];
  });
};

/** Returns the width that the labels of rows have in common, in letters. */
export const rowLabelLetters = (lanes: readonly Lane[]): number =>
  lanes.reduce(
    (most, lane) =>
      lane.kind === 'row' ? Math.min(maxRowLabel, Math.max(most, lane.step.label.length)) : most,
    0,
  );

const maxRowLabel = 60;
