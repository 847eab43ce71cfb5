/** Draws the lanes one below the other, each from top to bottom, in a given width. */
import type { Area, GraphDrawing, Size } from './graph-drawing.ts';
import type { Lane, StepsLane } from './graph-lanes.ts';
import { rowLabelLetters, sizes } from './graph-layout.ts';

export const drawDown = (drawing: GraphDrawing, lanes: readonly Lane[], width: number): Size => {
  const trunk = sizes.laneEdge;
  const area = { x: trunk + sizes.gap / 2, width: width - trunk - sizes.gap / 2 - sizes.laneEdge };
  const requestLane = lanes.find(({ id }) => drawing.isOnPath(id)) ?? lanes[0];

  let top: number = sizes.laneEdge;
  let request = 0;
  const placed = lanes.map((lane, index) => {
    // The request is above the lane that the sample follows.
    if (lane === requestLane) {
      request = top;
      top += sizes.box + sizes.between;
    }
    const y = top;
    const height = heightOf(lane);
    const isTable = lane.kind === 'row' && lanes[index + 1]?.kind === 'row';
    top += height + (isTable ? sizes.rows : sizes.lanes);
    return { lane, y, height };
  });
  drawing.request({ ...area, y: request });

  const letters = rowLabelLetters(lanes);
  const branches = placed.map(({ lane, y, height }, index) => {
    const isOn = drawing.isOnPath(lane.id);
    if (lane.kind === 'row') {
      drawing.row(lane, { ...area, y }, letters);
      return { to: [area.x, y + sizes.row / 2] as const, isOn };
    }
    if (index % 2 === 0) drawing.band({ ...area, y }, height);
    const inside = insideOf({ ...area, y });
    drawSteps(drawing, lane, inside);
    return { to: [inside.x, inside.y + sizes.box / 2] as const, isOn };
  });
  const start = request + sizes.box / 2;
  drawing.trunk(
    [
      [area.x, start],
      [trunk, start],
    ],
    branches,
  );
  return { width, height: top - sizes.lanes + sizes.laneEdge };
};

/** Returns the area of the boxes of a lane. */
const insideOf = ({ x, y, width }: Area): Area => ({
  x: x + sizes.laneEdge,
  y: y + sizes.laneEdge,
  width: width - 2 * sizes.laneEdge,
});

const drawSteps = (drawing: GraphDrawing, lane: StepsLane, { x, y, width }: Area): void => {
  const center = x + width / 2;
  let top = y;
  let isReached = false;
  for (const [index, step] of lane.columns.flat().entries()) {
    const mark = drawing.markOf(step.id);
    const isOn = mark?.state === 'lit' || mark?.state === 'failed';
    if (index > 0) {
      drawing.edge(
        [
          [center, top - sizes.between],
          [center, top],
        ],
        isReached && isOn,
      );
    }
    drawing.box(step, { x, y: top, width, mark });
    isReached = mark?.state === 'lit';
    top += sizes.box + sizes.between;
  }
};

const heightOf = (lane: Lane): number =>
  lane.kind === 'row'
    ? sizes.row
    : lane.columns.flat().length * (sizes.box + sizes.between) - sizes.between + 2 * sizes.laneEdge;
