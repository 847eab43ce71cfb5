/** etcd's messages, as far as the store asks for them; numbers of fields are those of its `rpc.proto`. */
import { type Field, type ReadMessage, readMessage, writeMessage } from './protobuf.ts';

export interface EtcdEntry {
  readonly name: string;
  readonly revision: number;
  readonly value: Uint8Array;
}

export interface RangeQuery {
  /** The name, or where a range begins. */
  readonly from: string;
  /** Where the range ends, itself not in it. */
  readonly to?: string;
  readonly limit?: number;
  /** 0 is now. */
  readonly revision?: number;
  readonly countOnly?: true;
}

/** The first name after all that begin with a folder: `0` is the character after `/`. */
export const endOf = (folder: string): string => `${folder.slice(0, -1)}0`;

/** KV.Range; linearizable, since nothing says otherwise. */
export const rangeRequest = (query: RangeQuery): Uint8Array => {
  const { from, to, limit = 0, revision = 0, countOnly } = query;
  return writeMessage([
    [1, Buffer.from(from)],
    ...(to === undefined ? [] : [[2, Buffer.from(to)] as const]),
    [3, limit],
    [4, revision],
    [9, countOnly === true ? 1 : 0],
  ]);
};

/** The answer, with the revision of the whole store. */
export const readRange = (bytes: Uint8Array) => {
  const answer = readMessage(bytes);
  return {
    revision: revisionOf(answer),
    entries: answer.messages(2).map(readEntry),
    more: answer.count(3) !== 0,
  };
};

/** KV.Txn: puts the value if the name's last revision is that one; 0 is that of no object. */
export const compareAndPut = (name: string, revision: number, value: string): Uint8Array =>
  transaction(name, revision, [
    2,
    [
      [1, Buffer.from(name)],
      [2, Buffer.from(value)],
    ],
  ]);

/** KV.Txn: deletes the name if its last revision is that one. */
export const compareAndDelete = (name: string, revision: number): Uint8Array =>
  transaction(name, revision, [3, [[1, Buffer.from(name)]]]);

const transaction = (name: string, revision: number, success: Field): Uint8Array =>
  writeMessage([
    [
      1,
      [
        // "is equal" is 0, and so not written; 2 is the revision of the last change.
        [2, 2],
        [3, Buffer.from(name)],
        [6, revision],
      ],
    ],
    [2, [success]],
  ]);

/** Did the comparison hold? The revision is that of the write then. */
export const readTransaction = (bytes: Uint8Array) => {
  const answer = readMessage(bytes);
  return { succeeded: answer.count(2) !== 0, revision: revisionOf(answer) };
};

/** Watch.Watch: from a revision on, with what was before each change. */
export const watchRequest = (from: string, to: string, revision: number): Uint8Array =>
  writeMessage([
    [
      1,
      [
        [1, Buffer.from(from)],
        [2, Buffer.from(to)],
        [3, revision],
        [6, 1],
      ],
    ],
  ]);

/** Watch.Watch: how far is the stream? */
export const progressRequest = (): Uint8Array => writeMessage([[3, []]]);

export interface EtcdWatchAnswer {
  readonly revision: number;
  readonly canceled: boolean;
  /** Where it is not 0, changes before it are forgotten. */
  readonly compacted: number;
  readonly reason: string;
  readonly events: readonly EtcdEvent[];
}

export interface EtcdEvent {
  readonly kind: 'put' | 'deleted';
  readonly entry: EtcdEntry;
  /** The state before; `undefined` where there was none, or it is forgotten. */
  readonly before: EtcdEntry | undefined;
}

/** An answer on the stream of a watch. */
export const readWatchAnswer = (bytes: Uint8Array): EtcdWatchAnswer => {
  const answer = readMessage(bytes);
  return {
    revision: revisionOf(answer),
    canceled: answer.count(4) !== 0,
    compacted: answer.count(5),
    reason: answer.text(6),
    events: answer.messages(11).map((event) => ({
      kind: event.count(1) === 1 ? 'deleted' : 'put',
      entry: readEntry(event.message(2)),
      before: event.bytes(3).length === 0 ? undefined : readEntry(event.message(3)),
    })),
  };
};

const revisionOf = (answer: ReadMessage): number => answer.message(1).count(3);

const readEntry = (entry: ReadMessage): EtcdEntry => ({
  name: entry.text(1),
  revision: entry.count(3),
  value: entry.bytes(5),
});
