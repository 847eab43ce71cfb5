/** Fake ports: a manual clock, a web in memory, inspectable logs and counters. */
import { nodeCertificateSignatures } from '../../engine/src/node/certificate-signatures.ts';
import { nodeDigest } from '../../engine/src/node/digest.ts';
import { nodeSignatures } from '../../engine/src/node/signatures.ts';
import type { Clock } from '../../engine/src/ports/clock.ts';
import type { KeyCache } from '../../engine/src/ports/key-cache.ts';
import type { MetricLabels } from '../../engine/src/ports/metrics.ts';
import type { Ports } from '../../engine/src/ports/ports.ts';
import { type MemoryWeb, memoryWeb } from './memory-web.ts';

export interface FakeClock extends Clock {
  /** Advances both clocks and runs the timers that are due. */
  advance(milliseconds: number): void;
  /** Advances the wall clock only. */
  jump(milliseconds: number): void;
}

/** Starts at that moment, in milliseconds since 1970. */
export const fakeClock = (start = 1_700_000_000_000): FakeClock => {
  let wall = start;
  let steady = 0;
  let calls: readonly { readonly at: number; readonly call: () => void }[] = [];
  return {
    now: () => wall,
    monotonic: () => steady,
    after(milliseconds, call) {
      const entry = { at: steady + milliseconds, call };
      calls = [...calls, entry];
      return () => {
        calls = calls.filter((other) => other !== entry);
      };
    },
    advance(milliseconds) {
      wall += milliseconds;
      steady += milliseconds;
      const due = calls.filter(({ at }) => at <= steady);
      calls = calls.filter(({ at }) => at > steady);
      for (const { call } of due) call();
    },
    jump(milliseconds) {
      wall += milliseconds;
    },
  };
};

export interface LoggedEvent {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

export interface FakePorts extends Ports {
  readonly clock: FakeClock;
  readonly http: MemoryWeb;
  readonly events: readonly LoggedEvent[];
  /** How often a counter went up, or the last value of a gauge or histogram, by name and labels. */
  readonly counted: ReadonlyMap<string, number>;
}

export interface FakePortsOptions {
  readonly clock?: FakeClock;
  readonly http?: MemoryWeb;
  readonly keyCache?: KeyCache;
  /** Accepts keys and salts exactly as kube-apiserver does, or as the product does. */
  readonly signatures?: 'exact' | 'product';
}

/** Creates ports with real signature verification; everything else is fake. */
export const fakePorts = (options: FakePortsOptions = {}): FakePorts => {
  const events: LoggedEvent[] = [];
  const counted = new Map<string, number>();
  let ids = 0;
  const name = (metric: string, labels: MetricLabels | undefined): string =>
    `${metric}${JSON.stringify(labels ?? {})}`;
  return {
    clock: options.clock ?? fakeClock(),
    http: options.http ?? memoryWeb(),
    signatures:
      options.signatures === 'product'
        ? nodeSignatures()
        : nodeSignatures({ rsaKeys: 'any', pssSalt: 'any' }),
    certificateSignatures: nodeCertificateSignatures(),
    digest: nodeDigest(),
    log: {
      event: (level, message, fields) => {
        events.push({ level, message, fields });
      },
    },
    metrics: {
      increment: (metric, labels) => {
        const key = name(metric, labels);
        counted.set(key, (counted.get(key) ?? 0) + 1);
      },
      set: (metric, value, labels) => {
        counted.set(name(metric, labels), value);
      },
      observe: (metric, value, labels) => {
        counted.set(name(metric, labels), value);
      },
      forget: (metric) => {
        for (const key of counted.keys()) if (key.startsWith(metric)) counted.delete(key);
      },
    },
    randomness: {
      fraction: () => 0,
      uuid: () => {
        ids += 1;
        return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
      },
    },
    ...(options.keyCache === undefined ? {} : { keyCache: options.keyCache }),
    events,
    counted,
  };
};

/** Runs everything that waits only for promises. */
export const settle = async (): Promise<void> => {
  for (let round = 0; round < 50; round += 1) await Promise.resolve();
};
