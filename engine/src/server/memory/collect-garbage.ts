/**
 * Collects unused buffers earlier than V8 does: V8 waits for 64 MiB of them, which is a quarter of
 * a small container. Does nothing if Node does not expose its garbage collector.
 */
import { getHeapStatistics } from 'node:v8';
import type { MemoryBudget } from './memory-budget.ts';

/** Time between two checks. */
const checkMs = 100;
/** New buffers outside of V8's heap after which the young generation is collected. */
const maxYoungBytes = 12 * 1024 * 1024;
/** Time between two full collections. */
const majorCollectionMs = 2_000;
/** Buffers in addition to the shares, after which a full collection runs. */
const maxExcessBytes = 24 * 1024 * 1024;

/** Checks regularly until the returned function is called. */
export const collectGarbage = ({ bodyBytes, responseBytes }: MemoryBudget): (() => void) => {
  const collect = globalThis.gc;
  if (collect === undefined) return () => {};
  const maxHeldBytes = bodyBytes + responseBytes + maxExcessBytes;
  let before = 0;
  let nextMajorAt = 0;
  const check = (): void => {
    const held = getHeapStatistics().external_memory;
    if (held - before <= maxYoungBytes) {
      before = Math.min(before, held);
      return;
    }
    const now = performance.now();
    if (held > maxHeldBytes && now >= nextMajorAt) {
      collect({ type: 'major', execution: 'sync' });
      nextMajorAt = now + majorCollectionMs;
    } else {
      collect({ type: 'minor', execution: 'sync' });
    }
    before = getHeapStatistics().external_memory;
  };
  const timer = setInterval(check, checkMs);
  timer.unref();
  return () => clearInterval(timer);
};
