/** How long a request lives: until its client goes away, or the real server's upper bound. */
import { requestLimits } from '../limits.ts';

export interface RequestLife {
  readonly signal: AbortSignal;
  /** The request is answered; nothing is left to abort. */
  end(): void;
}

/** Starts with the request. `onGone` tells once when the client has gone. */
export const startLife = (onGone: (call: () => void) => void): RequestLife => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), requestLimits.deadlineMs);
  timer.unref();
  let ended = false;
  onGone(() => {
    clearTimeout(timer);
    if (!ended) controller.abort();
  });
  return {
    signal: controller.signal,
    end() {
      ended = true;
      clearTimeout(timer);
    },
  };
};
