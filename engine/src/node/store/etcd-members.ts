/**
 * The members of an etcd cluster as one: a call goes to the member that answered last, and on to the
 * next one when that one does not.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { StoreError } from '../../ports/store.ts';
import {
  GrpcError,
  type GrpcServer,
  type GrpcStream,
  grpcServer,
  type TlsMaterial,
} from './grpc.ts';
import { memberCallMs, storeCallMs } from './limits.ts';

export interface EtcdMembers {
  /** Asked again elsewhere after any failure that may pass. */
  read(method: string, message: Uint8Array): Promise<Uint8Array>;
  /** Asked again elsewhere only where the first member cannot have done it. */
  write(method: string, message: Uint8Array): Promise<Uint8Array>;
  open(method: string): GrpcStream;
  /** The member asked first is not the right one. */
  leave(): void;
  close(): void;
}

const turnMs = 100;

/** Connections are made with the first calls. */
export const etcdMembers = (
  endpoints: readonly string[],
  readTls: () => Promise<TlsMaterial>,
): EtcdMembers => {
  const servers = endpoints.map((endpoint) => grpcServer(endpoint, readTls));
  let first = 0;
  let closed = false;
  const server = (): GrpcServer => {
    const found = servers[first % servers.length];
    if (found === undefined) throw new StoreError('unavailable', 'no etcd endpoint is given');
    return found;
  };
  const call = async (
    method: string,
    message: Uint8Array,
    mayRepeat: (error: GrpcError) => boolean,
  ): Promise<Uint8Array> => {
    const endsAt = performance.now() + storeCallMs;
    for (let tries = 1; ; tries += 1) {
      const asked = first;
      try {
        const waitMs = Math.min(memberCallMs, endsAt - performance.now());
        return await server().call(
          method,
          message,
          servers.length === 1 ? endsAt - performance.now() : waitMs,
        );
      } catch (cause) {
        const error = storeErrorOf(cause);
        if (!(cause instanceof GrpcError) || error.problem !== 'unavailable') throw error;
        // Of many calls that fail together, one goes on to the next member.
        if (first === asked) first += 1;
        if (closed || !mayRepeat(cause)) throw error;
        if (tries % servers.length === 0) await pause(turnMs);
        if (performance.now() >= endsAt) throw error;
      }
    }
  };
  return {
    read: (method, message) => call(method, message, () => true),
    write: (method, message) => call(method, message, (error) => !error.sent || hasNoLeader(error)),
    open: (method) => server().open(method),
    leave() {
      first += 1;
    },
    close() {
      closed = true;
      for (const one of servers) one.close();
    },
  };
};

/** Said before anything is done. */
const hasNoLeader = ({ message }: GrpcError): boolean => message.endsWith('etcdserver: no leader');

/** What a failure of gRPC means to the reader of a store. */
export const storeErrorOf = (cause: unknown): StoreError => {
  if (cause instanceof StoreError) return cause;
  const message = cause instanceof Error ? cause.message : 'unknown failure';
  const isGone = cause instanceof GrpcError && cause.code === 11;
  return new StoreError(isGone ? 'gone' : 'unavailable', `etcd ${message}`);
};
