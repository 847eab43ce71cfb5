/** Messages between the graph page and the extension. */
import { indexAt, memberAt, stringAt } from '../member-at.ts';

export interface GraphState {
  readonly kind: 'state';
  readonly number: number;
  readonly file: string | undefined;
  readonly sample: string | undefined;
  readonly problem: string | undefined;
  /** Whether the pictures are those of before the edit that caused the problem. */
  readonly isStale: boolean;
  readonly pictures: readonly ShownPicture[];
}

export interface ShownPicture {
  readonly title: string;
  readonly svg: string;
  readonly nodes: readonly {
    readonly id: string;
    readonly label: string;
    readonly details: readonly string[];
    readonly line: number | undefined;
  }[];
  /** The text alternative of the picture. */
  readonly text: string;
}

/** The node at the cursor. */
export interface CursorState {
  readonly kind: 'cursor';
  readonly number: number;
  readonly picture: number | undefined;
  readonly node: string | undefined;
}

/** Requests a picture as a PNG. */
export interface DrawPng {
  readonly kind: 'drawPng';
  /** Index of the picture in the state. */
  readonly picture: number;
}

export type GraphMessage = GraphState | CursorState | DrawPng;

export type GraphAction =
  | { readonly kind: 'ready' | 'select' | 'text' | 'export' | 'copy' }
  /** The width of the page in pixels, for which pictures are drawn. */
  | { readonly kind: 'width'; readonly width: number }
  | {
      readonly kind: 'goTo';
      readonly number: number;
      readonly picture: number;
      readonly node: string;
    }
  | { readonly kind: 'png'; readonly bytes: Uint8Array };

const maxPngBytes = 32_000_000;

export const readGraphAction = (message: unknown): GraphAction | undefined => {
  const kind = stringAt(message, 'kind');
  switch (kind) {
    case 'ready':
    case 'select':
    case 'text':
    case 'export':
    case 'copy':
      return { kind };
    case 'width': {
      const width = indexAt(message, 'width');
      return width === undefined ? undefined : { kind, width };
    }
    case 'goTo': {
      const number = indexAt(message, 'number');
      const picture = indexAt(message, 'picture');
      const node = stringAt(message, 'node');
      return number === undefined || picture === undefined || node === undefined
        ? undefined
        : { kind, number, picture, node };
    }
    case 'png': {
      const bytes = memberAt(message, 'bytes');
      return bytes instanceof Uint8Array && bytes.length <= maxPngBytes
        ? { kind, bytes }
        : undefined;
    }
    default:
      return undefined;
  }
};

export const isGraphMessage = (message: unknown): message is GraphMessage => {
  switch (stringAt(message, 'kind')) {
    case 'state':
      return (
        indexAt(message, 'number') !== undefined && Array.isArray(memberAt(message, 'pictures'))
      );
    case 'cursor':
      return indexAt(message, 'number') !== undefined;
    case 'drawPng':
      return indexAt(message, 'picture') !== undefined;
    default:
      return false;
  }
};
