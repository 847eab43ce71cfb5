/**
 * The header fields of a stream as the head of a request. Clients repeat themselves: HPACK sends a
 * block of fields once and refers to it, and a head that equals the last one of its session is the same
 * value, so that what it says is read once.
 */
import { headerList } from '../../model/header-list.ts';
import { headerLimits } from '../limits.ts';
import type { RequestHead } from './exchange.ts';

interface Last {
  readonly raw: readonly string[];
  readonly head: RequestHead;
}

const lastHeads = new WeakMap<object, Last>();

/**
 * `raw`: names and values in turn. `session`: lives as long as its last head is kept, credentials
 * and all, unless that is long.
 */
export const headOf = (session: object, raw: readonly string[]): RequestHead => {
  const last = lastHeads.get(session);
  if (last !== undefined && isEqual(last.raw, raw)) return last.head;
  const head = readHead(raw);
  if (lengthOf(raw) <= headerLimits.kept) lastHeads.set(session, { raw, head });
  else lastHeads.delete(session);
  return head;
};

const lengthOf = (raw: readonly string[]): number =>
  raw.reduce((sum, text) => sum + text.length, 0);

/** Node holds it against the body itself; requests that are else alike may have bodies of any length. */
const lengthField = 'content-length';

const isEqual = (left: readonly string[], right: readonly string[]): boolean => {
  if (left.length !== right.length) return false;
  for (let index = 0; index < right.length; index += 1) {
    const isAlike = left[index] === right[index];
    const isLength = index % 2 === 1 && right[index - 1] === lengthField;
    if (!isAlike && !isLength) return false;
  }
  return true;
};

const readHead = (raw: readonly string[]): RequestHead => {
  const fields = headerList(raw);
  return {
    method: pseudoField(raw, ':method'),
    rawTarget: pseudoField(raw, ':path'),
    headers: fields.filter(({ name }) => name !== lengthField),
    fieldCount: fields.length,
    httpMajor: 2,
    httpMinor: 0,
  };
};

const pseudoField = (raw: readonly string[], name: string): string => {
  for (let index = 0; index + 1 < raw.length; index += 2) {
    if (raw[index] === name) return raw[index + 1] ?? '';
  }
  return '';
};
