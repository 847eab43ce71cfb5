/** Finds PEM blocks like Go's decoder, which skips everything else. */
import { isSpaceOrTab, trimEnd } from '../trim.ts';

export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const begin = '-----BEGIN ';
const end = '\n-----END ';
const dashes = '-----';

/** Returns all blocks of a string in order. */
export const pemBlocks = (text: string): readonly PemBlock[] => {
  const blocks: PemBlock[] = [];
  let rest = text;
  while (rest !== '') {
    const next = nextBlock(rest);
    if (next === undefined) break;
    blocks.push(next.block);
    rest = next.rest;
  }
  return blocks;
};

/** Finds the next END line, and the last BEGIN line before it. */
const nextBlock = (
  text: string,
): { readonly block: PemBlock; readonly rest: string } | undefined => {
  let from = 0;
  while (true) {
    const endAt = text.indexOf(end, from);
    if (endAt === -1) return undefined;
    const afterEnd = endAt + end.length;
    // An END line may directly follow the BEGIN line, whose line end is then also that of the type.
    const beginInPart = text.slice(from, endAt).lastIndexOf(begin);
    const beginAt = from + beginInPart;
    if (beginInPart === 0 || (beginInPart > 0 && text[beginAt - 1] === '\n')) {
      const block = readBlock(text, { beginAt, endAt, afterEnd });
      if (block === 'unfinished') return undefined;
      if (block !== undefined) return block;
    }
    from = afterEnd;
  }
};

interface BlockPosition {
  readonly beginAt: number;
  readonly endAt: number;
  readonly afterEnd: number;
}

const readBlock = (
  text: string,
  place: BlockPosition,
): { readonly block: PemBlock; readonly rest: string } | 'unfinished' | undefined => {
  const typeLine = lineAt(text, place.beginAt + begin.length);
  if (!typeLine.text.endsWith(dashes)) return undefined;
  const type = typeLine.text.slice(0, -dashes.length);
  let at = typeLine.next;
  let hasHeaders = false;
  while (true) {
    // Headers that extend beyond the END line end the search, as in Go; so each line is read only
    // once.
    if (at >= text.length || at > place.afterEnd) return 'unfinished';
    const line = lineAt(text, at);
    if (!line.text.includes(':')) break;
    hasHeaders = true;
    at = line.next;
  }
  if (hasHeaders && at > place.endAt) return undefined;
  const tail = text.slice(place.afterEnd);
  if (!tail.startsWith(type + dashes)) return undefined;
  if (lineAt(tail, type.length + dashes.length).text !== '') return undefined;
  const bytes = at < place.endAt ? decodePemBase64(text.slice(at, place.endAt)) : new Uint8Array();
  if (bytes === undefined) return undefined;
  return {
    block: { type, hasHeaders, bytes },
    rest: text.slice(lineAt(text, place.afterEnd).next),
  };
};

/** Returns a line without its line end and trailing blanks. */
const lineAt = (text: string, at: number): { readonly text: string; readonly next: number } => {
  const lineEnd = text.indexOf('\n', at);
  const raw = lineEnd === -1 ? text.slice(at) : text.slice(at, lineEnd);
  return {
    text: trimEnd(lineEnd === -1 || !raw.endsWith('\r') ? raw : raw.slice(0, -1), isSpaceOrTab),
    next: lineEnd === -1 ? text.length : lineEnd + 1,
  };
};

const decodePemBase64 = (text: string): Uint8Array | undefined => {
  const packed = text.replace(/[ \t\r\n]/g, '');
  const wellFormed = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
  if (!wellFormed.test(packed)) return undefined;
  return Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
};
