/**
 * Holds the graph that serves requests. A request acquires a lease and uses the same graph to its
 * end; a replaced graph is closed after its last lease.
 */
import type { LinkedGraph } from './link.ts';

export interface Lease {
  readonly linked: LinkedGraph;
  /** Releases the lease; calling it again has no effect. */
  release(): void;
}

export interface GraphHolder {
  acquire(): Lease;
  current(): LinkedGraph;
  /** Replaces the graph for new requests. Settles when the previous one is closed. */
  swap(next: LinkedGraph): Promise<void>;
  /** Stops serving. Settles when the graph is closed. */
  close(): Promise<void>;
}

interface Slot {
  readonly linked: LinkedGraph;
  leases: number;
  /** Set once the slot is retired. */
  onEmpty: (() => void) | undefined;
}

/** Creates a holder with its first graph. */
export const graphHolder = (first: LinkedGraph): GraphHolder => {
  let slot: Slot = { linked: first, leases: 0, onEmpty: undefined };
  return {
    acquire: () => lease(slot),
    current: () => slot.linked,
    swap(next) {
      const old = slot;
      slot = { linked: next, leases: 0, onEmpty: undefined };
      return retire(old);
    },
    close: () => retire(slot),
  };
};

const lease = (slot: Slot): Lease => {
  let held = true;
  slot.leases += 1;
  return {
    linked: slot.linked,
    release() {
      if (!held) return;
      held = false;
      slot.leases -= 1;
      if (slot.leases === 0) slot.onEmpty?.();
    },
  };
};

const retire = async (slot: Slot): Promise<void> => {
  if (slot.leases > 0) {
    await new Promise<void>((resolve) => {
      slot.onEmpty = resolve;
    });
  }
  await slot.linked.close();
};
