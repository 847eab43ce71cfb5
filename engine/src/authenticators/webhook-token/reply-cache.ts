/**
 * Replies of the webhook for the time that the flag sets, acceptance and no opinion alike; failures are not
 * cached. Equal questions share one request, which is aborted when its last caller has left, or after half a
 * minute. Keys are keyed digests over length-prefixed parts, so no token stays in memory. Replies that accept
 * no one are cached apart: a flood of bad tokens evicts no good one. Clients share the questions that may be
 * under way.
 */
import { FairPlaces } from '../../fairness/fair-places.ts';
import { SharedWork } from '../../fairness/shared-work.ts';
import type { Waiter } from '../../fairness/waiter.ts';
import type { Decision } from '../../model/decision.ts';
import { type CacheLimits, decisionBytes } from '../../model/decision-bytes.ts';
import type { Ports } from '../../ports/ports.ts';
import { interruption } from './call-webhook.ts';

export interface ReplyCache {
  decide(question: CachedQuestion, ask: Ask): Decision | Promise<Decision>;
  /** Ends what is under way. */
  close(): void;
}

export interface CachedQuestion {
  readonly token: string;
  readonly audiences: readonly string[];
  /** The caller may leave; the request goes on for the others. */
  readonly waiter: Waiter;
}

export type Ask = (waiter: Waiter) => Promise<Decision>;

/** Accepted answers kept, and answers without an opinion. */
const maxAccepted = 32_768;
const maxUndecided = 8_192;
/** Questions under way; over it the client with the most loses one. */
const maxUnderWay = 4_096;
/** One question, with all its tries. */
const questionMs = 30_000;

interface Kept {
  readonly decision: Decision;
  readonly endsAt: number;
  readonly bytes: number;
}

/** Replies of one kind, the oldest first. */
interface Room {
  readonly replies: Map<string, Kept>;
  readonly most: number;
  bytes: number;
}

export const replyCache = (
  { clock, digest, randomness }: Pick<Ports, 'clock' | 'digest' | 'randomness'>,
  { lifetimeMs, limits }: { readonly lifetimeMs: number; readonly limits: CacheLimits },
): ReplyCache => {
  const accepted: Room = { replies: new Map(), most: maxAccepted, bytes: 0 };
  const undecided: Room = { replies: new Map(), most: maxUndecided, bytes: 0 };
  const places = new FairPlaces(maxUnderWay);
  const underWay = new Map<string, SharedWork<Decision>>();
  let isClosed = false;
  const generation = randomness.uuid();

  const find = (key: string): Decision | undefined => {
    const room = accepted.replies.has(key) ? accepted : undecided;
    const kept = room.replies.get(key);
    if (kept === undefined) return undefined;
    if (kept.endsAt > clock.monotonic()) return kept.decision;
    remove(room, key);
    return undefined;
  };

  const keep = (key: string, decision: Decision): void => {
    if (decision.kind === 'rejected' || lifetimeMs <= 0 || isClosed) return;
    const room = decision.kind === 'accepted' ? accepted : undecided;
    const bytes = decisionBytes(decision);
    remove(room, key);
    room.replies.set(key, { decision, endsAt: clock.monotonic() + lifetimeMs, bytes });
    room.bytes += bytes;
    for (const oldest of room.replies.keys()) {
      if (room.replies.size <= room.most && room.bytes <= limits.cacheBytes) return;
      remove(room, oldest);
    }
  };

  const start = (key: string, ask: Ask, waiter: Waiter): SharedWork<Decision> | undefined => {
    const question = new SharedWork<Decision>(waiter);
    const begun = question.begin({
      places,
      refused: tooManyQuestions,
      left: canceled,
      onAbandoned: () => end(),
    });
    if (!begun) return undefined;
    const cancelDeadline = clock.after(questionMs, () => question.abort(timeout()));
    const end = (): void => {
      cancelDeadline();
      if (underWay.get(key) === question) underWay.delete(key);
    };
    underWay.set(key, question);
    const finish = (decision: Decision): void => {
      end();
      keep(key, decision);
      question.settle(decision);
    };
    ask(question).then(finish, (error: unknown) => {
      end();
      question.fail(error);
    });
    return question;
  };

  return {
    decide({ token, audiences, waiter }, ask) {
      const key = digest.fingerprint(headOf(generation, audiences), token);
      const known = find(key);
      if (known !== undefined) return known;
      const { signal } = waiter;
      if (signal.aborted) return canceled(signal);
      const question = underWay.get(key) ?? start(key, ask, waiter);
      return question === undefined ? tooManyQuestions : question.join(waiter);
    },
    close() {
      isClosed = true;
      for (const question of underWay.values()) question.abort();
    },
  };
};

const remove = (room: Room, key: string): void => {
  const kept = room.replies.get(key);
  if (kept === undefined) return;
  room.replies.delete(key);
  room.bytes -= kept.bytes;
};

const tooManyQuestions: Decision = {
  kind: 'rejected',
  by: 'webhook-token',
  reason: {
    code: 'AG5063',
    message: `webhook: more than ${maxUnderWay} questions are under way`,
    overloaded: true,
  },
};

const timeout = (): Error =>
  Object.assign(new Error('the deadline has passed'), { name: 'TimeoutError' });

/** The token stands behind it, last, so that it needs no length. */
const headOf = (generation: string, audiences: readonly string[]): string => {
  const parts = audiences.map((audience) => `${audience.length}:${audience}`);
  return `${generation.length}:${generation}${audiences.length};${parts.join('')}`;
};

/** The decision for a caller that left before the answer. */
const canceled = (signal: AbortSignal): Decision => ({
  kind: 'rejected',
  by: 'webhook-token',
  reason: { code: 'AG5023', message: interruption(signal) },
});
