/**
 * Shares the time of the event loop among connections. While the loop keeps up, the work of a
 * connection runs at once. When more work arrives in one turn of the loop than fits into the turn,
 * the rest waits in the queues of its connections, which are then not read, and runs piece by piece
 * in later turns: first the account (a user, or the network of unauthenticated clients) that has
 * used the least time, and of its connections the one that has used the least. This is fair
 * queueing with two levels and a virtual clock for each: whatever was idle starts at the time of
 * the clock or after the time that it has used, whichever is later, so that a quiet client is
 * served next, but a client that sends a request after each response is not always first. The clock
 * advances with each piece of work, by its share of the competing accounts or connections, so that
 * new connections cannot delay an older one forever.
 */
import { performance } from 'node:perf_hooks';
import { loopLimits } from '../limits.ts';

const { nodeTiming } = performance;

/** A connection whose input can be stopped. */
export interface Intake {
  pause(): void;
  resume(): void;
}

type Job = () => void;

/** The time that an account or a connection has used since the start of the busy period. */
class Usage {
  virtualTime = 0;
  #usualMs = 0;

  /**
   * Adds the time of a piece of work and returns what was added. The excess of a piece that takes
   * much longer than usual is not counted, since it was interrupted by the garbage collector or by
   * other programs of the machine.
   */
  add(milliseconds: number): number {
    const { turnMs, unusualFactor, usualPieces } = loopLimits;
    const added = Math.min(milliseconds, turnMs + unusualFactor * this.#usualMs);
    this.#usualMs += (milliseconds - this.#usualMs) / usualPieces;
    this.virtualTime += added;
    return added;
  }
}

/** The account of one user, or of the unauthenticated clients of one network. */
class Account extends Usage {
  readonly sources = new Set<LoopSource>();
  readonly waiting = new Set<LoopSource>();
  /** The virtual time at which a connection starts that was idle. */
  now = 0;
  readonly key: string;
  readonly #all: Map<string, Account>;

  constructor(key: string, all: Map<string, Account>) {
    super();
    this.key = key;
    this.#all = all;
    all.set(key, this);
  }

  isUser(username: string, users: ReadonlyMap<string, Account>): boolean {
    return this.key === username && this.#all === users;
  }

  leave(source: LoopSource): void {
    this.sources.delete(source);
    if (this.sources.size === 0) this.#all.delete(this.key);
  }
}

/** The work of one connection. */
export class LoopSource extends Usage {
  readonly #loop: LoopShare;
  readonly #intake: Intake;
  readonly jobs: Job[] = [];
  #isOpen = true;
  account: Account;

  constructor(loop: LoopShare, intake: Intake, account: Account) {
    super();
    this.#loop = loop;
    this.#intake = intake;
    this.account = account;
    account.sources.add(this);
  }

  /** Runs the job at once, or when it is the turn of this connection. Jobs stay in order. */
  run(job: Job): void {
    if (!this.#isOpen) return;
    if (this.jobs.length === 0 && this.#loop.startTurn()) {
      job();
      return;
    }
    this.jobs.push(job);
    if (this.jobs.length > 1) return;
    this.#intake.pause();
    this.#loop.enqueue(this);
  }

  /** Removes the next job. The connection is read again after its last job. */
  takeJob(): Job | undefined {
    const job = this.jobs.shift();
    if (this.jobs.length === 0) this.#intake.resume();
    return job;
  }

  /** Assigns the time that the connection uses to the user. */
  useAccount(username: string): void {
    // A request may be authenticated after its client has gone.
    if (this.#isOpen) this.#loop.assign(this, username);
  }

  /** Drops all jobs: the connection is gone. */
  close(): void {
    this.#isOpen = false;
    this.jobs.length = 0;
    this.#loop.remove(this);
  }
}

/** The event loop time of one listener. */
export class LoopShare {
  readonly #users = new Map<string, Account>();
  readonly #networks = new Map<string, Account>();
  readonly #waiting = new Set<Account>();
  /** The virtual time at which an account starts that was idle. */
  #now = 0;
  #isArmed = false;
  #turn = -1;
  #turnStart = 0;
  #running: LoopSource | undefined;
  #runningSince = 0;
  readonly #monotonic: () => number;

  /** `monotonic` returns milliseconds and never goes back. */
  constructor(monotonic = (): number => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** Accounts with an open connection. */
  get accounts(): number {
    return this.#users.size + this.#networks.size;
  }

  /** Creates the source of an unauthenticated connection of the network. */
  source(network: string, intake: Intake): LoopSource {
    return new LoopSource(this, intake, accountOf(network, this.#networks));
  }

  /** Returns false if jobs wait, or enough has run in this turn of the loop. */
  startTurn(): boolean {
    if (this.#waiting.size > 0) return false;
    const turn = nodeTiming.uvMetricsInfo.loopCount;
    const now = this.#monotonic();
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#turnStart = now;
    }
    return now - this.#turnStart < loopLimits.turnMs;
  }

  enqueue(source: LoopSource): void {
    const { account } = source;
    source.virtualTime = Math.max(source.virtualTime, account.now);
    if (account.waiting.size === 0) {
      account.virtualTime = Math.max(account.virtualTime, this.#now);
      this.#waiting.add(account);
    }
    account.waiting.add(source);
    this.#arm();
  }

  assign(source: LoopSource, username: string): void {
    if (source.account.isUser(username, this.#users)) return;
    const isWaiting = source.account.waiting.has(source);
    this.remove(source);
    source.account = accountOf(username, this.#users);
    source.account.sources.add(source);
    // Times of different accounts cannot be compared.
    source.virtualTime = source.account.now;
    if (isWaiting) this.enqueue(source);
  }

  remove(source: LoopSource): void {
    this.#stopWaiting(source);
    source.account.leave(source);
  }

  #stopWaiting(source: LoopSource): void {
    const { account } = source;
    account.waiting.delete(source);
    if (account.waiting.size === 0) this.#waiting.delete(account);
  }

  /**
   * Schedules several steps for a turn, each in a callback of its own, so that the promises of one
   * settle before the next.
   */
  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    setImmediate(this.#beginTurn);
    for (let step = 1; step < loopLimits.stepsOfTurn; step += 1) setImmediate(this.#nextStep);
    setImmediate(this.#endTurn);
  }

  // Created once, because a busy server schedules them in every turn.
  readonly #beginTurn = (): void => {
    this.#turnStart = this.#monotonic();
    this.#step(this.#turnStart);
  };
  readonly #nextStep = (): void => this.#step(this.#monotonic());
  readonly #endTurn = (): void => {
    this.#charge(this.#monotonic());
    this.#isArmed = false;
    if (this.#waiting.size > 0) this.#arm();
  };

  #step(now: number): void {
    this.#charge(now);
    if (now - this.#turnStart > loopLimits.turnMs) return;
    const account = leastOf(this.#waiting);
    if (account === undefined) return;
    const source = leastOf(account.waiting);
    if (source === undefined) return;
    this.#now = Math.max(this.#now, account.virtualTime);
    account.now = Math.max(account.now, source.virtualTime);
    const job = source.takeJob();
    if (source.jobs.length === 0) this.#stopWaiting(source);
    this.#running = source;
    this.#runningSince = now;
    job?.();
  }

  /** Charges the time since the last step to its source, including the promises that it settled. */
  #charge(now: number): void {
    const source = this.#running;
    if (source === undefined) return;
    const used = now - this.#runningSince;
    const { account } = source;
    account.now += source.add(used) / competitors(account.waiting, source);
    this.#now += account.add(used) / competitors(this.#waiting, account);
    this.#running = undefined;
  }
}

const accountOf = (key: string, all: Map<string, Account>): Account =>
  all.get(key) ?? new Account(key, all);

/** The number of waiting accounts or connections, including the one that was served. */
const competitors = <T extends Usage>(waiting: ReadonlySet<T>, served: T): number =>
  waiting.size + (waiting.has(served) ? 0 : 1);

/** Returns the first of those that have used the least time. */
const leastOf = <T extends Usage>(all: Iterable<T>): T | undefined => {
  let least: T | undefined;
  for (const each of all) {
    if (least === undefined || each.virtualTime < least.virtualTime) least = each;
  }
  return least;
};
