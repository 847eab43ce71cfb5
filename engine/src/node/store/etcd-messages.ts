/** The requests that the etcd store sends, and the entries of etcd's responses. */
import type { KeyValue, RangeResponse, TxnResponse, WatchResponse } from './etcd_pb.ts';
import type { RangeRequestInit, TxnRequestInit, WatchRequestInit } from './etcd-member.ts';

export interface EtcdEntry {
  readonly name: string;
  readonly revision: bigint;
  readonly value: Uint8Array;
}

interface RangeQuery {
  /** The name, or where a range begins. */
  readonly from: string;
  /** Where the range ends, itself not in it. */
  readonly to?: string;
  readonly limit?: number;
  /** 0 is now. */
  readonly revision?: bigint;
  readonly countOnly?: true;
}

/** The first name after all that begin with a folder: `0` is the character after `/`. */
export const prefixRangeEnd = (folder: string): string => `${folder.slice(0, -1)}0`;

/** KV.Range; linearizable, since `serializable` is not set. */
export const rangeRequest = (query: RangeQuery): RangeRequestInit => {
  const { from, to, limit = 0, revision = 0n, countOnly = false } = query;
  return {
    key: Buffer.from(from),
    ...(to === undefined ? {} : { rangeEnd: Buffer.from(to) }),
    limit: BigInt(limit),
    revision,
    countOnly,
  };
};

/** KV.Txn: puts the value if the name's last revision is that one; 0 is that of no object. */
export const compareAndPut = (name: string, revision: bigint, value: string): TxnRequestInit =>
  transaction(name, revision, {
    case: 'requestPut',
    value: { key: Buffer.from(name), value: Buffer.from(value) },
  });

/** KV.Txn: deletes the name if its last revision is that one. */
export const compareAndDelete = (name: string, revision: bigint): TxnRequestInit =>
  transaction(name, revision, {
    case: 'requestDeleteRange',
    value: { key: Buffer.from(name) },
  });

const transaction = (
  name: string,
  revision: bigint,
  request: NonNullable<NonNullable<TxnRequestInit['success']>[number]['request']>,
): TxnRequestInit => ({
  compare: [
    {
      result: compareEqual,
      target: compareModRevision,
      key: Buffer.from(name),
      targetUnion: { case: 'modRevision', value: revision },
    },
  ],
  success: [{ request }],
});

const compareEqual = 0;
const compareModRevision = 2;

/** Watch.Watch: from a revision on, with what was before each change. */
export const watchRequest = (from: string, to: string, revision: bigint): WatchRequestInit => ({
  requestUnion: {
    case: 'createRequest',
    value: {
      key: Buffer.from(from),
      rangeEnd: Buffer.from(to),
      startRevision: revision,
      prevKv: true,
    },
  },
});

/** Watch.Watch: asks for a response with the revision that the stream has reached. */
export const progressRequest: WatchRequestInit = {
  requestUnion: { case: 'progressRequest', value: {} },
};

/** Revision of the whole store; that of the write where a transaction succeeded. */
export const revisionOf = ({ header }: RangeResponse | TxnResponse | WatchResponse): bigint =>
  header?.revision ?? 0n;

export interface EtcdEvent {
  readonly kind: 'put' | 'deleted';
  readonly entry: EtcdEntry;
  /** The state before; `undefined` where there was none, or it is forgotten. */
  readonly before: EtcdEntry | undefined;
}

/** The changes of one response of a watch. */
export const eventsOf = ({ events }: WatchResponse): readonly EtcdEvent[] =>
  events.flatMap(({ type, kv, prevKv }) =>
    kv === undefined
      ? []
      : [
          {
            kind: type === eventDelete ? 'deleted' : 'put',
            entry: entryOf(kv),
            before: prevKv === undefined ? undefined : entryOf(prevKv),
          },
        ],
  );

const eventDelete = 1;

export const entryOf = ({ key, modRevision, value }: KeyValue): EtcdEntry => ({
  name: Buffer.from(key).toString(),
  revision: modRevision,
  value,
});
