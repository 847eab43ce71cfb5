/**
 * Calls between the primary process and a worker, in both directions, over the IPC channel of
 * `node:child_process`. Arguments and results are copied by the structured clone algorithm.
 */
import type { ApiError } from '../../model/api-error.ts';
import { StoreError, type StoreProblem } from '../../ports/store.ts';

/** A message of the channel. */
export type ChannelMessage<T = unknown> =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly name: string;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'done'; readonly id: number; readonly value: T }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly message: string;
      /** Present if the call failed with a `StoreError`. */
      readonly problem?: StoreProblem;
      readonly apiError?: ApiError | undefined;
    };

type Arguments<Method> = Method extends (...args: infer Args) => unknown ? Args : never;
type Result<Method> = Method extends (...args: never[]) => infer Value ? Awaited<Value> : never;

/** Calls a method of the other process; rejects with its error, or once the channel is closed. */
export type Call<Remote> = <Name extends keyof Remote & string>(
  name: Name,
  ...args: Arguments<Remote[Name]>
) => Promise<Result<Remote[Name]>>;

/** Calls a method of the other process, of which no result is needed. */
export type Notify<Remote> = <Name extends keyof Remote & string>(
  name: Name,
  ...args: Arguments<Remote[Name]>
) => void;

export interface Channel<Remote> {
  readonly call: Call<Remote>;
  readonly notify: Notify<Remote>;
  /** Handles a message of the other process. */
  receive(message: ChannelMessage<never>): void;
  /** Rejects all calls in progress, and later ones. */
  close(reason: string): void;
}

/** The ID of calls whose result is ignored; those of others start at 1. */
const noAnswer = 0;

interface PendingCall {
  readonly resolve: (value: never) => void;
  readonly reject: (cause: Error) => void;
}

/** Creates one end of the channel; the other process may call the methods. */
export const openChannel = <Remote>(
  send: (message: ChannelMessage) => void,
  methods: object,
): Channel<Remote> => {
  const pending = new Map<number, PendingCall>();
  let lastId = 0;
  let closed: string | undefined;

  const respond = (response: Exclude<ChannelMessage, { kind: 'call' }>): void => {
    if (closed === undefined && response.id !== noAnswer) send(response);
  };

  const answer = async (id: number, name: string, args: readonly unknown[]): Promise<void> => {
    try {
      const method: unknown = Object.hasOwn(methods, name) ? Reflect.get(methods, name) : undefined;
      if (typeof method !== 'function') throw new Error(`unreachable: no method ${name}`);
      const value: unknown = await Reflect.apply(method, undefined, args);
      respond({ kind: 'done', id, value });
    } catch (cause) {
      respond(failureOf(id, cause));
    }
  };

  return {
    call: (name, ...args) =>
      new Promise((resolve, reject) => {
        if (closed !== undefined) {
          reject(new StoreError('unavailable', closed));
          return;
        }
        lastId += 1;
        pending.set(lastId, { resolve, reject });
        send({ kind: 'call', id: lastId, name, args });
      }),
    notify(name, ...args) {
      if (closed === undefined) send({ kind: 'call', id: noAnswer, name, args });
    },
    receive(message) {
      if (message.kind === 'call') {
        void answer(message.id, message.name, message.args);
        return;
      }
      const waiting = pending.get(message.id);
      pending.delete(message.id);
      if (message.kind === 'done') waiting?.resolve(message.value);
      else waiting?.reject(errorOf(message));
    },
    close(reason) {
      closed ??= reason;
      for (const { reject } of pending.values()) reject(new StoreError('unavailable', reason));
      pending.clear();
    },
  };
};

type Failure = Extract<ChannelMessage, { kind: 'failed' }>;

const failureOf = (id: number, cause: unknown): Failure => ({
  kind: 'failed',
  id,
  message: cause instanceof Error ? cause.message : String(cause),
  ...(cause instanceof StoreError ? { problem: cause.problem, apiError: cause.apiError } : {}),
});

const errorOf = ({ message, problem, apiError }: Failure): Error =>
  problem === undefined ? new Error(message) : new StoreError(problem, message, apiError);
