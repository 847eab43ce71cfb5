/**
 * What the webhook said, for the time that the flag says, acceptance and no opinion alike; failures are
 * not kept. Equal questions share one request, which outlives who asked first and ends after half a
 * minute. Keys are keyed digests over length-prefixed parts, so no token stays in memory. What was not
 * accepted has a room of its own: a flood of bad tokens pushes no good one out.
 */
import type { Decision } from '../../model/decision.ts';
import type { Ports } from '../../ports/ports.ts';
import { interruption } from './ask-webhook.ts';

export interface ReplyCache {
  decide(question: CachedQuestion, ask: Ask): Decision | Promise<Decision>;
  /** Ends what is under way. */
  close(): void;
}

export interface CachedQuestion {
  readonly token: string;
  readonly audiences: readonly string[];
  /** Of the caller: it may leave, the request goes on for the others. */
  readonly signal: AbortSignal;
}

export type Ask = (signal: AbortSignal) => Promise<Decision>;

/** Accepted answers kept, and answers without an opinion. */
const maxAccepted = 32_768;
const maxUndecided = 8_192;
/** Questions under way; more are refused at once. */
const maxUnderWay = 4_096;
/** One question, with all its tries. */
const questionMs = 30_000;

interface Kept {
  readonly decision: Decision;
  readonly endsAt: number;
}

export const replyCache = (
  { clock, digest, randomness }: Pick<Ports, 'clock' | 'digest' | 'randomness'>,
  lifetimeMs: number,
): ReplyCache => {
  const accepted = new Map<string, Kept>();
  const undecided = new Map<string, Kept>();
  const underWay = new Map<string, Promise<Decision>>();
  const closing = new AbortController();
  const generation = randomness.uuid();

  const find = (key: string): Decision | undefined => {
    const room = accepted.has(key) ? accepted : undecided;
    const kept = room.get(key);
    if (kept === undefined) return undefined;
    if (kept.endsAt > clock.monotonic()) return kept.decision;
    room.delete(key);
    return undefined;
  };

  const keep = (key: string, decision: Decision): void => {
    if (decision.kind === 'rejected' || lifetimeMs <= 0 || closing.signal.aborted) return;
    const [room, most] =
      decision.kind === 'accepted'
        ? ([accepted, maxAccepted] as const)
        : ([undecided, maxUndecided] as const);
    room.delete(key);
    room.set(key, { decision, endsAt: clock.monotonic() + lifetimeMs });
    const oldest = room.keys().next();
    if (room.size > most && !oldest.done) room.delete(oldest.value);
  };

  const start = async (key: string, ask: Ask): Promise<Decision> => {
    const deadline = new AbortController();
    const takeBack = clock.after(questionMs, () => deadline.abort(timeout()));
    try {
      const decision = await ask(AbortSignal.any([deadline.signal, closing.signal]));
      keep(key, decision);
      return decision;
    } finally {
      takeBack();
      underWay.delete(key);
    }
  };

  return {
    decide({ token, audiences, signal }, ask) {
      const key = digest.fingerprint(headOf(generation, audiences), token);
      const known = find(key);
      if (known !== undefined) return known;
      const shared = underWay.get(key);
      if (shared !== undefined) return orLeft(shared, signal);
      if (underWay.size >= maxUnderWay) return overloaded;
      const started = start(key, ask);
      underWay.set(key, started);
      return orLeft(started, signal);
    },
    close: () => closing.abort(),
  };
};

const overloaded: Decision = {
  kind: 'rejected',
  by: 'webhook-token',
  reason: {
    code: 'AG5063',
    message: `webhook: more than ${maxUnderWay} questions are under way`,
  },
};

const timeout = (): Error =>
  Object.assign(new Error('the deadline has passed'), { name: 'TimeoutError' });

/** The token stands behind it, last, so that it needs no length. */
const headOf = (generation: string, audiences: readonly string[]): string => {
  const parts = audiences.map((audience) => `${audience.length}:${audience}`);
  return `${generation.length}:${generation}${audiences.length};${parts.join('')}`;
};

/** The shared answer, or what is told to a caller that left before it was there. */
const orLeft = (shared: Promise<Decision>, signal: AbortSignal): Promise<Decision> => {
  const left = (): Decision => ({
    kind: 'rejected',
    by: 'webhook-token',
    reason: { code: 'AG5023', message: interruption(signal) },
  });
  if (signal.aborted) return Promise.resolve(left());
  return new Promise((resolve, reject) => {
    const leave = () => resolve(left());
    signal.addEventListener('abort', leave, { once: true });
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
};
