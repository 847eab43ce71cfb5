/**
 * The path of a request through the shares of the server: a place while its authentication waits,
 * then a seat while it executes, and a place instead of the seat while it waits for its body, for
 * the review of a token. A write that waits for its turn at the store goes on without a seat, under
 * the limit of the store. A request that gets no place, or loses it to a smaller flow, is refused. A
 * request that is canceled no longer waits and is not executed.
 */

import type { Seat, SeatRequest } from '../../fairness/concurrency.ts';
import type { FairPlaces, FlowPath, Place } from '../../fairness/fair-places.ts';
import type { Waiter } from '../../fairness/waiter.ts';
import type { Decision } from '../../model/decision.ts';
import { andThen, type MaybePromise } from '../../model/maybe-promise.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Store } from '../../ports/store.ts';
import type { BodyBytes, IncomingRequest } from '../http/incoming-request.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { isLongRunning } from '../http/requested-timeout.ts';
import { clientNetwork } from './client-network.ts';
import { isPrivileged, isProbe } from './exempt.ts';
import { fairStore } from './fair-store.ts';
import type { Fairness } from './fairness.ts';
import type { RequestKind } from './in-flight-gauge.ts';

/** Which limit refused a request; a label of the metric. */
export type RefusedBy = 'authentication' | 'body' | 'review' | 'concurrency' | 'store';

export class RequestTurn implements Waiter {
  readonly #fairness: Fairness;
  readonly #incoming: IncomingRequest;
  readonly #info: RequestInfo;
  /** Absent before authentication. */
  #user: UserInfo | undefined;
  /** Absent before authentication and for exempt requests. */
  #request: SeatRequest | undefined;
  #seat: Seat | undefined;
  #place: Place | undefined;
  #refusedBy: RefusedBy | undefined;
  /** Absent until the request is counted as in flight. */
  #kind: RequestKind | undefined;
  #isOver = false;

  constructor(fairness: Fairness, incoming: IncomingRequest, info: RequestInfo) {
    this.#fairness = fairness;
    this.#incoming = incoming;
    this.#info = info;
  }

  /** Set once the request is refused; its response is then a 429. */
  get refusedBy(): RefusedBy | undefined {
    return this.#refusedBy;
  }

  /** Aborts when the request is canceled. */
  get signal(): AbortSignal {
    return this.#incoming.signal;
  }

  /**
   * The flow of what authentication and reviews wait for. Users and unauthenticated clients share
   * equally.
   */
  get flow(): FlowPath {
    return this.#user === undefined
      ? ['unauthenticated', ...this.#clientFlow()]
      : ['user', ...this.#flowOf(this.#user)];
  }

  /** Refuses the request, and returns true, if the decision was rejected for lack of capacity. */
  refuseOverloaded(decision: Decision, by: RefusedBy): boolean {
    if (decision.kind !== 'rejected' || decision.reason.overloaded === undefined) return false;
    this.#refuse(by);
    return true;
  }

  /** Waits for an authentication; returns `undefined` if the request is refused. */
  authenticate(deciding: Promise<Decision>): Promise<Decision | undefined> {
    if (isProbe(this.#info)) return deciding;
    return this.#whileWaiting<Decision | undefined>(deciding, {
      places: this.#fairness.authentication,
      flow: this.#clientFlow(),
      refusedBy: 'authentication',
      refused: undefined,
    });
  }

  /** Occupies a seat for the user; returns false if the request is refused or canceled. */
  begin(user: UserInfo): MaybePromise<boolean> {
    if (this.#incoming.isCanceled) return false;
    this.#user = user;
    const isChanging = isMutating(this.#info);
    this.#kind = isChanging ? 'mutating' : 'readOnly';
    this.#fairness.inFlight.enter(this.#kind);
    if (isPrivileged(user) || isProbe(this.#info)) return true;
    const { concurrency } = this.#fairness;
    this.#request = {
      flow: this.#flowOf(user),
      isMutating: isChanging,
      incoming: this.#incoming,
    };
    if (concurrency.holdsSeatsOfWaiting && isLongRunning(this.#info)) return true;
    return this.#occupy(this.#request);
  }

  /**
   * Reads the body, and waits without a seat if it does not arrive together with the header fields.
   * A refused request gets a broken body.
   */
  async readBody(limit: number): Promise<BodyBytes> {
    const reading = this.#incoming.readBody(limit);
    const request = this.#request;
    // A body that has arrived completely is read without waiting.
    await undefined;
    if (request === undefined || this.#incoming.isComplete) return await reading;
    return this.#whileWaiting<BodyBytes>(reading, {
      places: this.#fairness.bodies,
      flow: request.flow,
      refusedBy: 'body',
      refused: { kind: 'broken' },
    });
  }

  /** Waits without a seat for the decision about a token under review. */
  review(deciding: MaybePromise<Decision>): MaybePromise<Decision> {
    const request = this.#request;
    if (request === undefined || !(deciding instanceof Promise)) return deciding;
    return this.#whileWaiting<Decision>(deciding, {
      places: this.#fairness.reviews,
      flow: request.flow,
      refusedBy: 'review',
      refused: { kind: 'noOpinion' },
    });
  }

  /** The store as the user calls it. A call that gets no seat refuses the request. */
  storeFor(user: UserInfo, store: Store): Store {
    return fairStore(store, this.#fairness.store, {
      user,
      incoming: this.#incoming,
      releaseSeat: () => this.#releaseSeat(),
      refuse: () => this.#refuse('store'),
    });
  }

  /** Releases what the request holds. */
  end(): void {
    this.#isOver = true;
    this.#place?.release();
    this.#seat?.release();
    if (this.#kind !== undefined) this.#fairness.inFlight.leave(this.#kind);
  }

  /** Releases the seat, unless a request holds it to its end. */
  #releaseSeat(): void {
    if (!this.#fairness.concurrency.holdsSeatsOfWaiting) this.#seat?.release();
  }

  #clientFlow(): FlowPath {
    const { clientAddress, connection } = this.#incoming;
    return [clientNetwork(clientAddress), connection];
  }

  /**
   * Returns the flow of a user. All anonymous requests have the same username, so their networks
   * share what that user gets.
   */
  #flowOf({ username }: UserInfo): FlowPath {
    return username === 'system:anonymous'
      ? [username, clientNetwork(this.#incoming.clientAddress)]
      : [username];
  }

  #occupy(request: SeatRequest): MaybePromise<boolean> {
    return andThen(this.#fairness.concurrency.acquire(request), (seat) => this.#hold(seat));
  }

  #hold(seat: Seat | undefined): boolean {
    if (seat === undefined) {
      this.#refuse('concurrency');
      return false;
    }
    if (this.#isOver) seat.release();
    this.#seat = seat;
    return true;
  }

  #whileWaiting<T>(work: Promise<T>, { places, flow, refusedBy, refused }: Waiting<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const refuse = (): void => {
        this.#refuse(refusedBy);
        resolve(refused);
      };
      const place = places.acquire(flow, refuse);
      if (place === undefined) {
        refuse();
        return;
      }
      this.#place = place;
      const held = this.#fairness.concurrency.holdsSeatsOfWaiting ? undefined : this.#seat;
      held?.release();
      const proceed = (value: T): void => {
        place.release();
        if (this.#isOver || this.#refusedBy !== undefined) return;
        const seated =
          held === undefined || this.#request === undefined || this.#occupy(this.#request);
        void andThen(seated, (isSeated) => resolve(isSeated ? value : refused));
      };
      work.then(proceed, reject);
    });
  }

  /** Ends everything that the request waits for, unless the request has ended already. */
  #refuse(by: RefusedBy): void {
    if (this.#incoming.isCanceled) return;
    this.#refusedBy = by;
    this.#incoming.abandon();
  }
}

interface Waiting<T> {
  readonly places: FairPlaces;
  readonly flow: FlowPath;
  readonly refusedBy: RefusedBy;
  /** The result for a refused request. */
  readonly refused: T;
}

const isMutating = (info: RequestInfo): boolean => {
  const verb = info.kind === 'resource' ? info.attributes.verb : info.verb;
  return verb !== 'get' && verb !== 'list' && verb !== 'watch';
};
