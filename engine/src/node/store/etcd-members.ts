/**
 * Combines the members of an etcd cluster: a call goes to the member that responded last, and to
 * the next one if that member does not respond.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { StoreError } from '../../ports/store.ts';
import type { RangeResponse, TxnResponse } from './etcd_pb.ts';
import {
  EtcdCallError,
  type EtcdMember,
  type EtcdStream,
  etcdMember,
  type RangeRequestInit,
  type TlsMaterial,
  type TxnRequestInit,
} from './etcd-member.ts';
import { memberCallTimeoutMs, storeCallTimeoutMs } from './limits.ts';

export interface EtcdMembers {
  /** Sends a read; it is retried at the next member after any failure that may be transient. */
  range(request: RangeRequestInit): Promise<RangeResponse>;
  /**
   * Sends a transaction; it is retried at the next member only if the last one cannot have executed
   * it.
   */
  txn(request: TxnRequestInit): Promise<TxnResponse>;
  watch(): EtcdStream;
  /** Sends further calls to the next member. */
  switchMember(): void;
  close(): void;
}

const retryPauseMs = 100;

/** Returns the combined members, which connect with the first calls. */
export const etcdMembers = (
  endpoints: readonly string[],
  readTls: () => Promise<TlsMaterial>,
): EtcdMembers => {
  const members = endpoints.map((endpoint) => etcdMember(endpoint, readTls));
  let first = 0;
  let isClosed = false;
  const member = (): EtcdMember => {
    const current = members[first % members.length];
    if (current === undefined)
      throw new StoreError('unavailable', 'no etcd endpoint is configured');
    return current;
  };
  const call = async <Response>(
    send: (member: EtcdMember, timeoutMs: number) => Promise<Response>,
    mayRepeat: (error: EtcdCallError) => boolean,
  ): Promise<Response> => {
    const endsAt = performance.now() + storeCallTimeoutMs;
    for (let tries = 1; ; tries += 1) {
      const used = first;
      try {
        const leftMs = endsAt - performance.now();
        return await send(
          member(),
          members.length === 1 ? leftMs : Math.min(memberCallTimeoutMs, leftMs),
        );
      } catch (cause) {
        const error = storeErrorOf(cause);
        if (!(cause instanceof EtcdCallError) || error.problem !== 'unavailable') throw error;
        if (isRefusal(cause)) throw error;
        // If many calls fail together, only one of them switches to the next member.
        if (first === used) first += 1;
        if (isClosed || !mayRepeat(cause)) throw error;
        if (tries % members.length === 0) await pause(retryPauseMs);
        if (performance.now() >= endsAt) throw error;
      }
    }
  };
  return {
    range: (request) =>
      call(
        (one, timeoutMs) => one.range(request, timeoutMs),
        () => true,
      ),
    txn: (request) =>
      call(
        (one, timeoutMs) => one.txn(request, timeoutMs),
        (error) => !error.sent || hasNoLeader(error),
      ),
    watch: () => member().watch(),
    switchMember() {
      first += 1;
    },
    close() {
      isClosed = true;
      for (const one of members) one.close();
    },
  };
};

/** A member returns this error before it executes anything. */
const hasNoLeader = ({ message }: EtcdCallError): boolean =>
  message.endsWith('etcdserver: no leader');

/** The gRPC status code of a read at a compacted revision. */
const outOfRange = 11;

/** Whether the next member would fail in the same way. */
export const isRefusal = (cause: unknown): boolean =>
  cause instanceof EtcdCallError && cause.refusal !== undefined;

/** etcd's `--max-request-bytes`, and the limit of its gRPC server above that. */
const tooLargeRequest = /^(?:etcdserver: request is too large|grpc: received message larger than)/;

/** Converts a gRPC error to a `StoreError`. */
export const storeErrorOf = (cause: unknown): StoreError => {
  if (cause instanceof StoreError) return cause;
  const message = cause instanceof Error ? cause.message : 'unknown failure';
  const refusal = cause instanceof EtcdCallError ? cause.refusal : undefined;
  if (refusal !== undefined && tooLargeRequest.test(refusal)) {
    // kube-apiserver passes etcd's error on with this code and without a reason.
    const apiError = { code: 500, reason: '', message: refusal };
    return new StoreError('refused', `etcd ${message}`, apiError);
  }
  const isGone = cause instanceof EtcdCallError && cause.code === outOfRange;
  return new StoreError(isGone ? 'gone' : 'unavailable', `etcd ${message}`);
};
