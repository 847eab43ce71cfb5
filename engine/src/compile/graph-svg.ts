/**
 * The graph as an SVG element without scripts, links and embedded fonts; all strings are escaped.
 */

import { counted } from '../formats/counted.ts';
import type { AuthenticatorGraph } from './graph.ts';
import { drawAcross } from './graph-across.ts';
import { drawDown } from './graph-down.ts';
import { GraphDrawing, type GraphPictureNode, type GraphTarget } from './graph-drawing.ts';
import { type GraphPath, graphLanes, type InvalidEntry } from './graph-lanes.ts';

/** The graph as an SVG, together with the descriptions of its nodes. */
export interface GraphPicture {
  readonly title: string;
  readonly svg: string;
  readonly nodes: readonly GraphPictureNode[];
}

export interface GraphPictureOptions {
  readonly path?: GraphPath | undefined;
  readonly for: GraphTarget;
  /** The entries that have no node because of their errors. They are hatched. */
  readonly invalid?: readonly InvalidEntry[] | undefined;
  /**
   * The width of the page in pixels. In a narrow one, the steps of a path are one below the other.
   */
  readonly width?: number | undefined;
}

/** Draws the graph. With `path`, the picture shows the path of a sample. */
export const graphPicture = (
  graph: AuthenticatorGraph,
  { path, for: target, invalid = [], width }: GraphPictureOptions,
): GraphPicture => {
  const lanes = graphLanes(graph, { path, foldsOthers: target === 'page', invalid });
  const drawing = new GraphDrawing(path, target);
  const isNarrow = width !== undefined && width < minWidthAcross;
  const size = isNarrow
    ? drawDown(drawing, lanes, Math.max(width, minWidthDown))
    : drawAcross(drawing, lanes);
  const withErrors = invalid.length === 0 ? '' : `, ${invalid.length} with errors`;
  const count = counted(graph.nodes.length + invalid.length, 'authenticator');
  const title = `Authenticator graph: ${count}${withErrors}`;
  return {
    title,
    svg: drawing.svg(title, isNarrow ? 'down' : 'across', size),
    nodes: drawing.nodes,
  };
};

/** Pages that are narrower would show a picture from left to right with letters that are too small. */
const minWidthAcross = 1000;

/** Narrower pages scroll. */
const minWidthDown = 240;

/** Draws the graph and returns only the SVG. */
export const graphSvg = (graph: AuthenticatorGraph, options: GraphPictureOptions): string =>
  graphPicture(graph, options).svg;
