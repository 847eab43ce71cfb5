/**
 * Changing the configuration of a running server: text → compile → guard → swap, all or nothing.
 * Whatever goes wrong, the graph that serves goes on serving. Rules of the real server: content that
 * cannot be right is tried once; a changed `anonymous` section is refused; new authenticators get a
 * minute to become healthy before they replace the old ones.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { AuthenticatorGraph, Origins } from '../../compile/graph.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { anonymousChanged } from '../../diagnostics/reload-findings.ts';
import { diagnosticOf } from '../../diagnostics/rule.ts';
import { readBytes } from '../../documents/yaml/read-bytes.ts';
import { type FileReading, watchFile } from '../../node/files.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { type SourceFile, sourceFile } from '../../source/source-file.ts';

/** What a text came to. */
export interface LoadedConfiguration {
  /** Absent exactly when a diagnostic is an error. */
  readonly graph: AuthenticatorGraph | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly origins: Origins;
}

/** A linked graph that does not serve yet. */
export interface Candidate {
  /** Makes what would else keep the first request waiting. */
  prepare(): void;
  /** One reason for each authenticator that is not ready. */
  unready(): readonly string[];
  /** From now on requests see it; what served before is closed after its last request. */
  install(): void;
  /** Gives it up. */
  discard(): Promise<void>;
}

export type ReloadEvent =
  | {
      readonly kind: 'reloaded';
      readonly source: SourceFile;
      readonly graph: AuthenticatorGraph;
      /** Warnings and hints. */
      readonly diagnostics: readonly Diagnostic[];
    }
  | {
      readonly kind: 'refused';
      readonly source: SourceFile;
      readonly diagnostics: readonly Diagnostic[];
    }
  /** The new graph waits for its issuers; the old one serves. */
  | { readonly kind: 'waiting'; readonly reasons: readonly string[] }
  /** They did not come; tried again with the next look at the file. */
  | { readonly kind: 'unhealthy'; readonly reasons: readonly string[] }
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** The file is what serves already, after something else was refused or awaited. */
  | { readonly kind: 'restored' };

export interface ReloadOptions {
  readonly path: string;
  /** The path as people read it. */
  readonly shownPath?: string;
  /** SHA-256 of the text that serves, lower-case hex. */
  readonly servingHash: string;
  readonly serving: AuthenticatorGraph;
  readonly load: (source: SourceFile) => Promise<LoadedConfiguration>;
  /** Gives other work its turns in between. */
  readonly link: (graph: AuthenticatorGraph) => Candidate | Promise<Candidate>;
  readonly report: (event: ReloadEvent) => void;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly debounceMs?: number;
  readonly pollMs?: number;
}

export interface Reload {
  /** Looks at the file now; settles when the new graph serves or was refused. */
  checkNow(): Promise<void>;
  close(): Promise<void>;
}

/** As much as a configuration may have, twice: what is too large shall be said by the compiler. */
export const maxConfigurationFileBytes = 2 * 1024 * 1024;

/** Time for new authenticators to become healthy. */
const healthTimeoutMs = 60_000;

/** How often their health is looked at; the real server looks each ten seconds. */
const healthIntervalMs = 200;

const controller = 'apiserver_authentication_config_controller';

/** Watches the configuration file and swaps in what compiles and becomes healthy. */
export const startReload = (options: ReloadOptions): Reload => {
  const { serving, load, link, report, clock, metrics, log } = options;
  let servingHash = options.servingHash;
  /** Content that cannot be right, or the reason why there is none; not tried or told again. */
  let lastFailure = '';
  let attempt: Attempt | undefined;

  const onReading = async (reading: FileReading): Promise<void> => {
    try {
      await processReading(reading);
    } catch (cause) {
      // A fault of ours; the graph that serves has nothing to do with it.
      if (reading.kind === 'read') lastFailure = reading.hash;
      countReload('failure');
      log.event('error', 'failed to update authentication config', { cause });
    }
  };

  const processReading = async (reading: FileReading): Promise<void> => {
    if (reading.kind === 'unreadable') {
      countReload('failure');
      if (lastFailure === reading.reason) return;
      lastFailure = reading.reason;
      log.event('error', 'failed to read authentication config file', { reason: reading.reason });
      report({ kind: 'unreadable', reason: reading.reason });
      return;
    }
    if (reading.hash === servingHash) return restore();
    if (reading.hash === lastFailure || reading.hash === attempt?.hash) return;
    await attempt?.abandon();
    lastFailure = '';
    attempt = await startAttempt(reading.hash, reading.bytes);
  };

  const restore = async (): Promise<void> => {
    if (lastFailure === '' && attempt === undefined) return;
    await attempt?.abandon();
    attempt = undefined;
    lastFailure = '';
    report({ kind: 'restored' });
  };

  /** Compiles at once; the wait for health goes on beside further looks. */
  const startAttempt = async (hash: string, bytes: Uint8Array): Promise<Attempt | undefined> => {
    const read = readBytes(bytes);
    const source = sourceFile(options.shownPath ?? options.path, read.text);
    const loaded = read.kind === 'text' ? await load(source) : failedLoad(read.diagnostic);
    const diagnostics = [...loaded.diagnostics, ...anonymousChange(loaded, serving)];
    const { graph } = loaded;
    if (graph === undefined || diagnostics.some(({ severity }) => severity === 'error')) {
      lastFailure = hash;
      countReload('failure');
      log.event('error', 'failed to load authentication config', {
        errors: diagnostics.filter(({ severity }) => severity === 'error').length,
      });
      report({ kind: 'refused', source, diagnostics });
      return undefined;
    }
    // Reading, linking and preparing a large graph take milliseconds each: requests go between.
    await yieldToEventLoop();
    const candidate = await link(graph);
    await yieldToEventLoop();
    candidate.prepare();
    return waitForHealth(hash, candidate, { clock, report }, (outcome) => {
      attempt = undefined;
      if (outcome.kind === 'unhealthy') {
        countReload('failure');
        log.event('error', 'failed to update authentication config', { reasons: outcome.reasons });
        report(outcome);
        return;
      }
      candidate.install();
      servingHash = hash;
      countReload('success');
      publishHash();
      log.event('info', 'reloaded authentication config', { hash });
      report({ kind: 'reloaded', source, graph, diagnostics });
    });
  };

  const countReload = (status: 'success' | 'failure'): void => {
    metrics.increment(`${controller}_automatic_reloads_total`, { status });
    metrics.set(`${controller}_automatic_reload_last_timestamp_seconds`, clock.now() / 1000, {
      status,
    });
  };

  const publishHash = (): void => {
    metrics.forget(`${controller}_last_config_info`, {});
    metrics.set(`${controller}_last_config_info`, 1, { hash: `sha256:${servingHash}` });
  };

  publishHash();
  const watch = watchFile(
    options.path,
    {
      maxBytes: maxConfigurationFileBytes,
      ...(options.debounceMs === undefined ? {} : { debounceMs: options.debounceMs }),
      ...(options.pollMs === undefined ? {} : { pollMs: options.pollMs }),
    },
    onReading,
  );
  // The file may have changed between the reading of whoever started us and the watch.
  void watch.checkNow();
  return {
    async checkNow() {
      await watch.checkNow();
      await attempt?.settled;
    },
    async close() {
      await watch.close();
      await attempt?.abandon();
    },
  };
};

const failedLoad = (diagnostic: Diagnostic): LoadedConfiguration => ({
  graph: undefined,
  diagnostics: [diagnostic],
  origins: new Map(),
});

/** What the compiler cannot know: it sees one text, this sees two. */
const anonymousChange = (
  { graph, origins }: LoadedConfiguration,
  serving: AuthenticatorGraph,
): readonly Diagnostic[] => {
  if (graph === undefined || sameAnonymous(graph, serving)) return [];
  const span = origins.get('anonymous') ?? { start: 0, end: 0 };
  return [diagnosticOf(anonymousChanged, span, {})];
};

const sameAnonymous = (one: AuthenticatorGraph, other: AuthenticatorGraph): boolean => {
  const parts = ({ anonymous: { enabled, paths, fromFile } }: AuthenticatorGraph) =>
    JSON.stringify([enabled, fromFile, paths ?? null]);
  return parts(one) === parts(other);
};

interface Attempt {
  readonly hash: string;
  /** Fulfilled when it has come to its end, whichever. */
  readonly settled: Promise<void>;
  abandon(): Promise<void>;
}

type HealthOutcome =
  | { readonly kind: 'healthy' }
  | { readonly kind: 'unhealthy'; readonly reasons: readonly string[] };

/** `undefined` where nothing had to be waited for. */
const waitForHealth = (
  hash: string,
  candidate: Candidate,
  { clock, report }: Pick<ReloadOptions, 'clock' | 'report'>,
  onOutcome: (outcome: HealthOutcome) => void,
): Attempt | undefined => {
  const initiallyUnready = candidate.unready();
  if (initiallyUnready.length === 0) {
    onOutcome({ kind: 'healthy' });
    return undefined;
  }
  const deadline = clock.monotonic() + healthTimeoutMs;
  const { promise: settled, resolve: resolveSettled } = Promise.withResolvers<void>();
  let cancelTimer = () => {};
  let waitReported = false;
  const finish = async (outcome: HealthOutcome): Promise<void> => {
    onOutcome(outcome);
    if (outcome.kind === 'unhealthy') await candidate.discard();
    resolveSettled();
  };
  const check = (): void => {
    const reasons = candidate.unready();
    if (reasons.length === 0) return void finish({ kind: 'healthy' });
    if (clock.monotonic() >= deadline) return void finish({ kind: 'unhealthy', reasons });
    // Most issuers answer before the second look; only a real wait is worth a word.
    if (!waitReported && clock.monotonic() >= deadline - healthTimeoutMs + unreportedWaitMs) {
      waitReported = true;
      report({ kind: 'waiting', reasons });
    }
    cancelTimer = clock.after(healthIntervalMs, check);
  };
  cancelTimer = clock.after(healthIntervalMs, check);
  return {
    hash,
    settled,
    async abandon() {
      cancelTimer();
      await candidate.discard();
      resolveSettled();
    },
  };
};

const unreportedWaitMs = 2_000;
