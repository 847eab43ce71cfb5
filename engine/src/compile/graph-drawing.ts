/** The elements of the picture: boxes, rows, edges and bands, in the order in which they are painted. */
import { type Color, graphStyle, plain, themed } from './graph-colors.ts';
import type { GraphPath, LaneStep, RowLane, StepMark } from './graph-lanes.ts';
import { sizes } from './graph-layout.ts';
import { formatNumber, truncateText, xmlText } from './svg-text.ts';

export interface GraphPictureNode {
  /** The value of the element's `data-node` attribute. */
  readonly id: string;
  readonly label: string;
  /** The complete description, with nothing abbreviated. */
  readonly details: readonly string[];
}

/** `page`: nodes are buttons that can be reached by keyboard. `file`: a static picture. */
export type GraphTarget = 'page' | 'file';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export type Point = readonly [number, number];

export class GraphDrawing {
  readonly nodes: GraphPictureNode[] = [];
  readonly #path: GraphPath | undefined;
  readonly #target: GraphTarget;
  readonly #bands: string[] = [];
  readonly #headings: string[] = [];
  readonly #edges: string[] = [];
  /** Drawn above the other edges. */
  readonly #litEdges: string[] = [];
  readonly #boxes: string[] = [];

  constructor(path: GraphPath | undefined, target: GraphTarget) {
    this.#path = path;
    this.#target = target;
  }

  /** Returns the picture of everything that was added. */
  svg(title: string, direction: 'across' | 'down', { width, height }: Size): string {
    const headline = this.#path?.headline;
    const summary = headline === undefined ? '' : ` Path of a sample: ${headline}`;
    const from = direction === 'across' ? 'left to right' : 'top to bottom';
    const description = `The paths of a request from ${from}, one below the other.${summary}`;
    const head =
      this.#target === 'page'
        ? `role="group" aria-label="${xmlText(title)}"`
        : 'role="img" aria-labelledby="authgraph-title authgraph-description"';
    const ids =
      this.#target === 'page' ? ['', ''] : [' id="authgraph-title"', ' id="authgraph-description"'];
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" class="authgraph ${direction}" ${head} viewBox="0 0 ${formatNumber(width)} ${formatNumber(height)}" width="${formatNumber(width)}" height="${formatNumber(height)}" font-family="system-ui, sans-serif" font-size="12">`,
      `<title${ids[0]}>${xmlText(title)}</title><desc${ids[1]}>${xmlText(description)}</desc>`,
      `<style>${graphStyle}</style>`,
      `<g ${plain('fill', 'background')}><rect class="background" width="100%" height="100%" ${themed('fill', 'background')}/></g>`,
      `<g class="bands" ${plain('fill', 'band')}>${this.#bands.join('')}</g>`,
      `<g class="headings" font-size="11" ${plain('fill', 'muted')}>${this.#headings.join('')}</g>`,
      `<g class="edges" fill="none" ${plain('stroke', 'muted')}>${this.#edges.join('')}</g>`,
      `<g class="edges" fill="none" ${plain('stroke', 'lit')}>${this.#litEdges.join('')}</g>`,
      this.#boxes.join('\n'),
      '</svg>\n',
    ].join('\n');
  }

  /** Returns the result of the sample at a step; `undefined` without a sample. */
  markOf(id: string): StepMark | undefined {
    return this.#path && (this.#path.marks.get(id) ?? { state: 'idle' });
  }

  /** Returns whether the sample follows the lane. */
  isOnPath(lane: string): boolean {
    return this.#path !== undefined && this.#path.lane === lane;
  }

  /** Adds the background of a lane. */
  band({ x, y, width }: Area, height: number): void {
    this.#bands.push(
      `<rect x="${formatNumber(x)}" y="${formatNumber(y)}" width="${formatNumber(width)}" height="${formatNumber(height)}" rx="8" ${themed('fill', 'band')}/>`,
    );
  }

  heading(x: number, name: string): void {
    this.#headings.push(
      `<text x="${formatNumber(x)}" y="${formatNumber(sizes.margin + 12)}" ${themed('fill', 'muted')}>${name}</text>`,
    );
  }

  request(area: Area): void {
    const step: LaneStep = {
      id: 'request',
      label: 'request',
      text: 'bearer token',
      details: ['A request, with or without a bearer token.'],
    };
    const mark: StepMark | undefined = this.#path && { state: 'lit', note: this.#path.name };
    this.box(step, { ...area, mark });
  }

  /** Adds a line; its arrow points to the right or down, as its last part does. */
  edge(points: readonly Point[], isOn: boolean, end: 'arrow' | 'plain' = 'arrow'): void {
    const state = this.#path === undefined ? '' : isOn ? ' lit' : ' idle';
    const ink = `${themed('stroke', isOn ? 'lit' : 'muted')} stroke-width="${isOn ? 2 : 1}"`;
    const dashes = state === ' idle' ? ' stroke-dasharray="3 3"' : '';
    const [x = 0, y = 0] = points.at(-1) ?? [];
    const isDown = points.at(-2)?.[0] === x;
    const tip = linePath([
      isDown ? [x - 4, y - 5] : [x - 5, y - 4],
      [x, y],
      isDown ? [x + 4, y - 5] : [x - 5, y + 4],
    ]);
    const lines = isOn ? this.#litEdges : this.#edges;
    lines.push(`<path class="edge${state}" d="${linePath(points)}" ${ink}${dashes}/>`);
    if (end === 'arrow') lines.push(`<path class="edge${state}" d="${tip}" ${ink}/>`);
  }

  /**
   * Adds the edges from the request to all lanes. They share a vertical line at the end of `start`,
   * which is drawn once.
   */
  trunk(
    start: readonly Point[],
    branches: readonly { readonly to: Point; readonly isOn: boolean }[],
  ): void {
    const [x = 0, y = 0] = start.at(-1) ?? [];
    const first = branches[0]?.to[1] ?? y;
    const last = branches.at(-1)?.to[1] ?? y;
    this.edge(start, false, 'plain');
    this.edge(
      [
        [x, Math.min(y, first)],
        [x, Math.max(y, last)],
      ],
      false,
      'plain',
    );
    for (const { to, isOn } of branches) {
      this.edge(isOn ? [...start, [x, to[1]], to] : [[x, to[1]], to], isOn);
    }
  }

  /** Adds the box of a step: its label, and below it what it checks or the value for the sample. */
  box(step: LaneStep, { x, y, width, mark }: Area & { readonly mark: StepMark | undefined }): void {
    const { label } = step;
    const note = mark?.note ?? '';
    const text = note === '' ? step.text : note;
    const sign = mark?.state === 'lit' ? '✓ ' : mark?.state === 'failed' ? '✗ ' : '';
    const inner = width - 2 * sizes.inset;
    const shown = {
      label: truncateText(`${sign}${label}`, inner / sizes.labelLetter),
      text: truncateText(text, inner / sizes.codeLetter),
    };
    const spoken = [
      shown.label.slice(sign.length),
      shown.text,
      ...(shown.label === `${sign}${label}` ? [] : [label]),
      ...(shown.text === text ? [] : [text]),
    ];
    const state = mark?.state;
    const isOn = state === 'lit' || state === 'failed';
    this.#node(step, {
      ...{ mark, spoken },
      shapes: rectangle({ x, y, width }, sizes.box, state),
      texts:
        labelText(shown.label, x + sizes.inset, y + (text === '' ? 26 : 18)) +
        (shown.text === ''
          ? ''
          : // The space separates the two texts for screen readers that read a box as one string.
            ` ${codeText(shown.text, x + sizes.inset, y + 34, isOn ? 'text' : 'muted')}`),
    });
  }

  /** Adds a folded lane: one line with its label and its text. */
  row({ step, isInvalid }: RowLane, { x, y, width }: Area, labelLetters: number): void {
    const mark = this.markOf(step.id);
    const inner = width - 2 * sizes.inset;
    const label = truncateText(step.label, Math.min(labelLetters, inner / sizes.labelLetter));
    const textX = x + sizes.inset + (labelLetters + 2) * sizes.labelLetter;
    const left = (x + width - sizes.inset - textX) / sizes.codeLetter;
    const text = left < minRowText ? '' : truncateText(step.text, left);
    const baseline = y + sizes.row / 2 + 4;
    const spoken = [
      label,
      ...(text === '' ? [] : [text]),
      ...(label === step.label ? [] : [step.label]),
      ...(text === step.text ? [] : [step.text]),
    ];
    const plate = (at: number, end: number): string =>
      `<rect x="${formatNumber(at - 4)}" y="${formatNumber(y + 2)}" width="${formatNumber(end - at + 8)}" height="${formatNumber(sizes.row - 4)}" ${themed('fill', 'node')} stroke="none"/>`;
    const hatched = isInvalid
      ? hatches({ x, y, width }, sizes.row) +
        plate(x + sizes.inset, x + sizes.inset + label.length * sizes.labelLetter) +
        (text === '' ? '' : plate(textX, textX + text.length * sizes.codeLetter))
      : '';
    this.#node(step, {
      ...{ mark, spoken },
      class: isInvalid ? ' invalid' : '',
      shapes: rectangle({ x, y, width }, sizes.row, isInvalid ? 'invalid' : mark?.state) + hatched,
      texts:
        labelText(label, x + sizes.inset, baseline, isInvalid ? 'text' : 'muted') +
        (text === '' ? '' : ` ${codeText(text, textX, baseline, 'muted')}`),
    });
  }

  #node(
    { id, label, text, details }: LaneStep,
    drawn: {
      readonly mark: StepMark | undefined;
      /** The visible strings first, so that speech input finds the node by them. */
      readonly spoken: readonly string[];
      readonly shapes: string;
      readonly texts: string;
      readonly class?: string;
    },
  ): void {
    const state = drawn.mark?.state;
    const note = drawn.mark?.note ?? '';
    const all = [
      ...(details.length === 0 && text !== '' ? [text] : details),
      ...(note === '' ? [] : [`${state === 'failed' ? 'Failure' : 'For this sample'}: ${note}`]),
    ];
    this.nodes.push({ id, label, details: all });
    const spoken = [...drawn.spoken, ...(state === undefined ? [] : [stateWords[state]])]
      .filter((part) => part !== '')
      .join(', ');
    const reach =
      this.#target === 'page' ? ` tabindex="0" role="button" aria-label="${xmlText(spoken)}"` : '';
    // A page shows the details itself.
    const hover =
      this.#target === 'page' ? '' : `<title>${xmlText([label, ...all].join('\n'))}</title>`;
    const edge: Color = state === 'lit' || state === 'failed' ? state : 'muted';
    this.#boxes.push(
      `<g class="node${drawn.class ?? ''}${state === undefined ? '' : ` ${state}`}" data-node="${xmlText(id)}"${reach}>${hover}` +
        `<g class="box" ${plain('fill', 'node')} ${plain('stroke', edge)}>${drawn.shapes}</g>` +
        `${drawn.texts}</g>`,
    );
  }
}

const rectangle = (
  { x, y, width }: Area,
  height: number,
  state: StepMark['state'] | 'invalid' | undefined,
): string => {
  const isOn = state === 'lit' || state === 'failed';
  const edge = state === 'invalid' ? 'failed' : isOn ? state : 'muted';
  return `<rect x="${formatNumber(x)}" y="${formatNumber(y)}" width="${formatNumber(width)}" height="${formatNumber(height)}" rx="5" ${themed('fill', 'node')} ${themed('stroke', edge)} stroke-width="${isOn ? 2 : 1}"${state === 'idle' ? ' stroke-dasharray="4 3"' : ''}/>`;
};

/** Returns diagonal lines across an area. */
const hatches = ({ x, y, width }: Area, height: number): string => {
  const lines: string[] = [];
  for (let at = x - height + hatchDistance; at < x + width; at += hatchDistance) {
    const [from, to] = [Math.max(at, x), Math.min(at + height, x + width)];
    lines.push(
      linePath([
        [from, y + height - (from - at)],
        [to, y + height - (to - at)],
      ]),
    );
  }
  return `<path class="hatches" d="${lines.join('')}" fill="none" ${themed('stroke', 'failed')} stroke-opacity="0.5"/>`;
};

const hatchDistance = 8;

/** Fewer letters of a row's text are not shown. */
const minRowText = 12;

const labelText = (text: string, x: number, y: number, color: Color = 'text'): string =>
  `<g ${plain('fill', color)}><text x="${formatNumber(x)}" y="${formatNumber(y)}" ${themed('fill', color)} font-weight="600">${xmlText(text)}</text></g>`;

const codeText = (text: string, x: number, y: number, color: Color): string =>
  `<g ${plain('fill', 'muted')}><text x="${formatNumber(x)}" y="${formatNumber(y)}" ${themed('fill', color)} font-family="ui-monospace, monospace" font-size="11">${xmlText(text)}</text></g>`;

/** Returns a path of straight lines; repeated points are omitted. */
const linePath = (points: readonly Point[]): string =>
  points
    .filter(([x, y], at) => at === 0 || x !== points[at - 1]?.[0] || y !== points[at - 1]?.[1])
    .map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${formatNumber(x)} ${formatNumber(y)}`)
    .join('');

const stateWords = { lit: 'passed', failed: 'failed', idle: 'not reached' } as const;
