/** Draws the lanes one below the other, each from left to right. */
import type { GraphDrawing, Size } from './graph-drawing.ts';
import type { Lane, StepsLane } from './graph-lanes.ts';
import {
  columnsOf,
  type GraphColumn,
  requestWidth,
  rowLabelLetters,
  sizes,
} from './graph-layout.ts';

export const drawAcross = (drawing: GraphDrawing, lanes: readonly Lane[]): Size => {
  const columns = columnsOf(lanes);
  const last = columns.at(-1);
  const end = last === undefined ? requestWidth : last.x + last.width;
  const width = end + sizes.margin;
  drawing.heading(sizes.margin, 'request');
  for (const { x, name } of columns) drawing.heading(x, name);

  let top = sizes.margin + sizes.heading;
  const placed = lanes.map((lane, index) => {
    const y = top;
    const height = heightOf(lane);
    const isRow = lane.kind === 'row';
    // Consecutive rows are a table.
    const isTable = isRow && lanes[index + 1]?.kind === 'row';
    top += height + (isTable ? sizes.rows : sizes.lanes);
    return { lane, y, height, middle: y + height / 2 };
  });
  // The request is next to the lane that the sample follows, and comes first in the document.
  const [first] = placed;
  const start = placed.find(({ lane }) => drawing.isOnPath(lane.id)) ?? first;
  const from = start?.middle ?? top;
  drawing.request({ x: sizes.margin, y: from - sizes.box / 2, width: sizes.request });

  const letters = rowLabelLetters(lanes);
  for (const [index, { lane, y, height, middle }] of placed.entries()) {
    if (lane.kind === 'row') {
      drawing.row(lane, { x: requestWidth, y, width: end - requestWidth }, letters);
      continue;
    }
    if (index % 2 === 0) {
      const band = width - requestWidth - sizes.margin / 2;
      drawing.band({ x: requestWidth, y, width: band }, height);
    }
    drawSteps(drawing, lane, { columns, middle });
  }
  drawTrunk(drawing, placed, from);
  return { width, height: top - sizes.lanes + sizes.margin };
};

/** Draws the edges from the request to every lane. */
const drawTrunk = (
  drawing: GraphDrawing,
  placed: readonly { readonly lane: Lane; readonly middle: number }[],
  start: number,
): void => {
  const from = sizes.margin + sizes.request;
  const trunk = from + sizes.gap / 2;
  drawing.trunk(
    [
      [from, start],
      [trunk, start],
    ],
    placed.map(({ lane, middle }) => ({
      to: [requestWidth, middle],
      isOn: drawing.isOnPath(lane.id),
    })),
  );
};

const drawSteps = (
  drawing: GraphDrawing,
  lane: StepsLane,
  { columns, middle }: { readonly columns: readonly GraphColumn[]; readonly middle: number },
): void => {
  let before: Joint | undefined;
  for (const { index, x, width } of columns) {
    const steps = lane.columns[index] ?? [];
    if (steps.length === 0) continue;
    const height = steps.length * (sizes.box + sizes.between) - sizes.between;
    const marks = steps.map(({ id }) => drawing.markOf(id));
    const placed = steps.map((step, at) => ({
      step,
      mark: marks[at],
      y: middle - height / 2 + at * (sizes.box + sizes.between),
    }));
    for (const { step, mark, y } of placed) {
      drawing.box(step, { x, y, width, mark });
      const center = y + sizes.box / 2;
      const isOn = mark?.state === 'lit' || mark?.state === 'failed';
      if (before === undefined) continue;
      const bend = x - sizes.gap / 3;
      drawing.edge(
        [
          [before.x, middle],
          [bend, middle],
          [bend, center],
          [x, center],
        ],
        before.isOn && isOn,
      );
    }
    const isOn = marks.every((mark) => mark?.state === 'lit');
    const bend = x + width + sizes.gap / 3;
    const isLast = columns.at(-1)?.index === index;
    for (const { mark, y } of isLast ? [] : placed) {
      const center = y + sizes.box / 2;
      drawing.edge(
        [
          [x + width, center],
          [bend, center],
          [bend, middle],
        ],
        mark?.state === 'lit' && isOn,
        'plain',
      );
    }
    before = { x: bend, isOn };
  }
};

const heightOf = (lane: Lane): number => {
  if (lane.kind === 'row') return sizes.row;
  const most = Math.max(...lane.columns.map((steps) => steps.length));
  return most * (sizes.box + sizes.between) - sizes.between + 2 * sizes.laneEdge;
};

interface Joint {
  readonly x: number;
  readonly isOn: boolean;
}
