/**
 * The graph as an SVG element without scripts, links and embedded fonts; all strings are escaped.
 */

import type { AuthenticatorGraph } from './graph.ts';
import { type Color, graphStyle, plain, themed } from './graph-colors.ts';
import {
  type GraphPath,
  graphLanes,
  type Lane,
  type LaneStep,
  type StepMark,
} from './graph-lanes.ts';
import { columnsOf, type GraphColumn, requestWidth, sizes } from './graph-layout.ts';
import { formatNumber, truncateText, xmlText } from './svg-text.ts';

/** The graph as an SVG, together with the descriptions of its nodes. */
export interface GraphPicture {
  readonly title: string;
  readonly svg: string;
  readonly nodes: readonly GraphPictureNode[];
}

export interface GraphPictureNode {
  /** The value of the element's `data-node` attribute. */
  readonly id: string;
  readonly label: string;
  /** The complete description, with nothing abbreviated. */
  readonly details: readonly string[];
}

export interface GraphPictureOptions {
  readonly path?: GraphPath | undefined;
  /** `page`: nodes are buttons that can be reached by keyboard. `file`: a static picture. */
  readonly for: 'page' | 'file';
}

/** Draws the graph. With `path`, the picture shows the path of a sample. */
export const graphPicture = (
  graph: AuthenticatorGraph,
  { path, for: target }: GraphPictureOptions,
): GraphPicture => {
  const lanes = graphLanes(graph, path);
  const drawing = new Drawing(lanes, path, target);
  const count = graph.nodes.length;
  const title = `Authenticator graph: ${count} ${count === 1 ? 'authenticator' : 'authenticators'}`;
  return { title, svg: drawing.svg(title), nodes: drawing.nodes };
};

/** Draws the graph and returns only the SVG. */
export const graphSvg = (graph: AuthenticatorGraph, options: GraphPictureOptions): string =>
  graphPicture(graph, options).svg;

class Drawing {
  readonly nodes: GraphPictureNode[] = [];
  readonly #lanes: readonly Lane[];
  readonly #path: GraphPath | undefined;
  readonly #target: GraphPictureOptions['for'];
  readonly #columns: readonly GraphColumn[];
  readonly #bands: string[] = [];
  readonly #edges: string[] = [];
  /** Drawn above the other edges. */
  readonly #litEdges: string[] = [];
  readonly #boxes: string[] = [];

  constructor(
    lanes: readonly Lane[],
    path: GraphPath | undefined,
    target: GraphPictureOptions['for'],
  ) {
    this.#lanes = lanes;
    this.#path = path;
    this.#target = target;
    this.#columns = columnsOf(lanes);
  }

  svg(title: string): string {
    const last = this.#columns.at(-1);
    const width = (last === undefined ? requestWidth : last.x + last.width) + sizes.margin;
    const height = this.#draw(width);
    const headline = this.#path?.headline;
    const summary = headline === undefined ? '' : ` Path of a sample: ${headline}`;
    const description = `The paths of a request from left to right, one below the other.${summary}`;
    const head =
      this.#target === 'page'
        ? `role="group" aria-label="${xmlText(title)}"`
        : 'role="img" aria-labelledby="authgraph-title authgraph-description"';
    const ids =
      this.#target === 'page' ? ['', ''] : [' id="authgraph-title"', ' id="authgraph-description"'];
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" class="authgraph" ${head} viewBox="0 0 ${formatNumber(width)} ${formatNumber(height)}" width="${formatNumber(width)}" height="${formatNumber(height)}" font-family="system-ui, sans-serif" font-size="12">`,
      `<title${ids[0]}>${xmlText(title)}</title><desc${ids[1]}>${xmlText(description)}</desc>`,
      `<style>${graphStyle}</style>`,
      `<g ${plain('fill', 'background')}><rect class="background" width="100%" height="100%" ${themed('fill', 'background')}/></g>`,
      `<g class="bands" ${plain('fill', 'band')}>${this.#bands.join('')}</g>`,
      this.#headings(),
      `<g class="edges" fill="none" ${plain('stroke', 'muted')}>${this.#edges.join('')}</g>`,
      `<g class="edges" fill="none" ${plain('stroke', 'lit')}>${this.#litEdges.join('')}</g>`,
      this.#boxes.join('\n'),
      '</svg>\n',
    ].join('\n');
  }

  /** Draws all lanes and returns the height. */
  #draw(width: number): number {
    let top = sizes.margin + sizes.heading;
    const middles: number[] = [];
    // The request is drawn next to the first lane, so that it comes first in the document.
    const [firstHeight = 0] = this.#lanes.map(heightOf);
    this.#request(top + firstHeight / 2);
    for (const [index, lane] of this.#lanes.entries()) {
      const height = heightOf(lane);
      if (index % 2 === 0) {
        this.#bands.push(
          `<rect x="${formatNumber(requestWidth)}" y="${formatNumber(top)}" width="${formatNumber(width - requestWidth - sizes.margin / 2)}" height="${formatNumber(height)}" rx="8" ${themed('fill', 'band')}/>`,
        );
      }
      const middle = top + height / 2;
      middles.push(middle);
      this.#lane(lane, middle);
      top += height + sizes.lanes;
    }
    this.#trunk(middles);
    return top - sizes.lanes + sizes.margin;
  }

  #headings(): string {
    const texts = [
      { x: sizes.margin, name: 'request' },
      ...this.#columns.map(({ x, name }) => ({ x, name })),
    ].map(
      ({ x, name }) =>
        `<text x="${formatNumber(x)}" y="${formatNumber(sizes.margin + 12)}" ${themed('fill', 'muted')}>${name}</text>`,
    );
    return `<g class="headings" font-size="11" ${plain('fill', 'muted')}>${texts.join('')}</g>`;
  }

  #request(middle: number): void {
    const step: LaneStep = {
      id: 'request',
      label: 'request',
      text: 'bearer token',
      details: ['A request, with or without a bearer token.'],
    };
    const mark: StepMark | undefined = this.#path && { state: 'lit', note: this.#path.name };
    const y = middle - sizes.box / 2;
    this.#box(step, { x: sizes.margin, y, width: sizes.request, mark });
  }

  /** Draws the edges from the request, which is next to the first lane, to every lane. */
  #trunk(middles: readonly number[]): void {
    const [first = 0] = middles;
    const from = sizes.margin + sizes.request;
    const trunk = from + sizes.gap / 2;
    const to = this.#columns[0]?.x ?? trunk;
    for (const [index, middle] of middles.entries()) {
      const isOn = this.#path !== undefined && this.#lanes[index]?.id === this.#path.lane;
      this.#edge(
        [
          [from, first],
          [trunk, first],
          [trunk, middle],
          [to, middle],
        ],
        isOn,
      );
    }
  }

  #lane({ columns }: Lane, middle: number): void {
    let before: Joint | undefined;
    for (const { index, x, width } of this.#columns) {
      const steps = columns[index] ?? [];
      if (steps.length === 0) continue;
      const height = steps.length * (sizes.box + sizes.between) - sizes.between;
      const marks = steps.map(({ id }) => this.#markOf(id));
      const placed = steps.map((step, at) => ({
        step,
        mark: marks[at],
        y: middle - height / 2 + at * (sizes.box + sizes.between),
      }));
      for (const { step, mark, y } of placed) {
        this.#box(step, { x, y, width, mark });
        const center = y + sizes.box / 2;
        const isOn = mark?.state === 'lit' || mark?.state === 'failed';
        if (before !== undefined) {
          const bend = x - sizes.gap / 3;
          this.#edge(
            [
              [before.x, middle],
              [bend, middle],
              [bend, center],
              [x, center],
            ],
            before.isOn && isOn,
          );
        }
      }
      const isOn = marks.every((mark) => mark?.state === 'lit');
      const isLast = this.#columns.at(-1)?.index === index;
      const bend = x + width + sizes.gap / 3;
      if (!isLast)
        for (const { mark, y } of placed) {
          const center = y + sizes.box / 2;
          this.#edge(
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
  }

  #markOf(id: string): StepMark | undefined {
    return this.#path && (this.#path.marks.get(id) ?? { state: 'idle' });
  }

  #edge(points: readonly Point[], isOn: boolean, end: 'arrow' | 'plain' = 'arrow'): void {
    const state = this.#path === undefined ? '' : isOn ? ' lit' : ' idle';
    const ink = `${themed('stroke', isOn ? 'lit' : 'muted')} stroke-width="${isOn ? 2 : 1}"`;
    const dashes = state === ' idle' ? ' stroke-dasharray="3 3"' : '';
    const [x = 0, y = 0] = points.at(-1) ?? [];
    const tip = linePath([
      [x - 5, y - 4],
      [x, y],
      [x - 5, y + 4],
    ]);
    const lines = isOn ? this.#litEdges : this.#edges;
    lines.push(`<path class="edge${state}" d="${linePath(points)}" ${ink}${dashes}/>`);
    if (end === 'arrow') lines.push(`<path class="edge${state}" d="${tip}" ${ink}/>`);
  }

  #box(
    step: LaneStep,
    {
      x,
      y,
      width,
      mark,
    }: {
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly mark: StepMark | undefined;
    },
  ): void {
    const { id, label, details } = step;
    const state = mark?.state;
    const note = mark?.note ?? '';
    const text = note === '' ? step.text : note;
    const sign = state === 'lit' ? '✓ ' : state === 'failed' ? '✗ ' : '';
    const inner = width - 2 * sizes.inset;
    const drawn = {
      label: truncateText(`${sign}${label}`, inner / sizes.labelLetter),
      text: truncateText(text, inner / sizes.codeLetter),
    };
    // The visible text comes first, so that speech input finds the node by it; abbreviated texts
    // follow in full.
    const spoken = [
      drawn.label.slice(sign.length),
      drawn.text,
      ...(drawn.label === `${sign}${label}` ? [] : [label]),
      ...(drawn.text === text ? [] : [text]),
      ...(state === undefined ? [] : [stateWords[state]]),
    ]
      .filter((part) => part !== '')
      .join(', ');
    const all = [
      ...(details.length === 0 && step.text !== '' ? [step.text] : details),
      ...(note === '' ? [] : [`${state === 'failed' ? 'Failure' : 'For this sample'}: ${note}`]),
    ];
    this.nodes.push({ id, label, details: all });
    const reach =
      this.#target === 'page' ? ` tabindex="0" role="button" aria-label="${xmlText(spoken)}"` : '';
    const edge: Color = state === 'lit' || state === 'failed' ? state : 'muted';
    const isOn = edge !== 'muted';
    // A page shows the details itself.
    const hover =
      this.#target === 'page' ? '' : `<title>${xmlText([label, ...all].join('\n'))}</title>`;
    this.#boxes.push(
      `<g class="node${state === undefined ? '' : ` ${state}`}" data-node="${xmlText(id)}"${reach}>${hover}` +
        `<g class="box" ${plain('fill', 'node')} ${plain('stroke', edge)}><rect x="${formatNumber(x)}" y="${formatNumber(y)}" width="${formatNumber(width)}" height="${formatNumber(sizes.box)}" rx="5" ${themed('fill', 'node')} ${themed('stroke', edge)} stroke-width="${isOn ? 2 : 1}"${state === 'idle' ? ' stroke-dasharray="4 3"' : ''}/></g>` +
        `<g ${plain('fill', 'text')}><text x="${formatNumber(x + sizes.inset)}" y="${formatNumber(y + (text === '' ? 26 : 18))}" ${themed('fill', 'text')} font-weight="600">${xmlText(drawn.label)}</text></g>` +
        (text === ''
          ? ''
          : // The space separates the two texts for screen readers that read a box as one string.
            ` <g ${plain('fill', 'muted')}><text x="${formatNumber(x + sizes.inset)}" y="${formatNumber(y + 34)}" ${themed('fill', isOn ? 'text' : 'muted')} font-family="ui-monospace, monospace" font-size="11">${xmlText(drawn.text)}</text></g>`) +
        '</g>',
    );
  }
}

const heightOf = ({ columns }: Lane): number => {
  const most = Math.max(...columns.map((steps) => steps.length));
  return most * (sizes.box + sizes.between) - sizes.between + 2 * sizes.laneEdge;
};

type Point = readonly [number, number];

/** Returns a path of straight lines; repeated points are omitted. */
const linePath = (points: readonly Point[]): string =>
  points
    .filter(([x, y], at) => at === 0 || x !== points[at - 1]?.[0] || y !== points[at - 1]?.[1])
    .map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${formatNumber(x)} ${formatNumber(y)}`)
    .join('');

interface Joint {
  readonly x: number;
  readonly isOn: boolean;
}

const stateWords = { lit: 'passed', failed: 'failed', idle: 'not reached' } as const;
