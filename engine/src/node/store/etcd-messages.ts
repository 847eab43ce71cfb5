/** Builds the requests of the etcd store, and reads etcd's responses. */
import type { KeyValue, RangeResponse, TxnResponse, WatchResponse } from './etcd_pb.ts';
import type { RangeRequestInit, TxnRequestInit, WatchRequestInit } from './etcd-member.ts';

/** A key with its last revision and its value. */
export type EtcdObject = Pick<KeyValue, 'key' | 'modRevision' | 'value'>;

interface RangeQuery {
  /** The key, or the first key of a range. */
  readonly from: string;
  /** End of the range, exclusive. */
  readonly to?: string;
  readonly limit?: number;
  /** Revision to read at; 0 is the current one. */
  readonly revision?: bigint;
  readonly countOnly?: true;
}

/** Returns the first key after all keys with the prefix: `0` is the character after `/`. */
export const prefixRangeEnd = (folder: string): string => `${folder.slice(0, -1)}0`;

/** KV.Range, which is linearizable, since `serializable` is not set. */
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

/**
 * KV.Txn that puts the value if the key's last revision matches; 0 matches a key without an object.
 */
export const compareAndPut = (name: string, revision: bigint, value: string): TxnRequestInit =>
  transaction(name, revision, {
    case: 'requestPut',
    value: { key: Buffer.from(name), value: Buffer.from(value) },
  });

/** KV.Txn that deletes the key if its last revision matches. */
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

/** Watch.Watch request that starts at a revision and includes the previous values. */
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

/** Watch.Watch request for a response with the revision that the stream has reached. */
export const progressRequest: WatchRequestInit = {
  requestUnion: { case: 'progressRequest', value: {} },
};

/**
 * Returns the revision of the whole store; for a successful transaction, the revision of the write.
 */
export const revisionOf = ({ header }: RangeResponse | TxnResponse | WatchResponse): bigint =>
  header?.revision ?? 0n;

/** Returns the key as text. */
export const nameOf = ({ key }: Pick<KeyValue, 'key'>): string => Buffer.from(key).toString();
