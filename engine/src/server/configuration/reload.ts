/**
 * Reloads the configuration of a running server: compile, check, link, swap. A failed reload leaves
 * the current graph in service. As in kube-apiserver, invalid content is tried only once, a changed
 * `anonymous` section is rejected, and new authenticators get a minute to become healthy before
 * they replace the old ones.
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

/** The result of loading a configuration. */
export interface LoadedConfiguration {
  /** Absent if and only if a diagnostic is an error. */
  readonly graph: AuthenticatorGraph | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly origins: Origins;
}

/** A linked graph that is not in service yet. */
export interface Candidate {
  /** Initializes what would otherwise delay the first request. */
  prepare(): void;
  /** Returns one reason for each authenticator that is not ready. */
  unready(): readonly string[];
  /** Puts the graph into service. The previous graph is closed after its last request. */
  install(): void;
  /** Closes a graph that will not be used. */
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
  /** The new graph waits for its issuers; the old one is in service. */
  | { readonly kind: 'waiting'; readonly reasons: readonly string[] }
  /** The issuers did not become healthy in time. The next check of the file tries again. */
  | { readonly kind: 'unhealthy'; readonly reasons: readonly string[] }
  | { readonly kind: 'unreadable'; readonly reason: string }
  /**
   * The file has the content that is in service again, after other content was rejected or pending.
   */
  | { readonly kind: 'restored' };

export interface ReloadOptions {
  readonly path: string;
  /** The path as it appears in messages. */
  readonly shownPath?: string;
  /** SHA-256 of the text in service, in lower-case hex. */
  readonly servingHash: string;
  readonly serving: AuthenticatorGraph;
  readonly load: (source: SourceFile) => Promise<LoadedConfiguration>;
  /** Links a graph; may yield to the event loop in between. */
  readonly link: (graph: AuthenticatorGraph) => Candidate | Promise<Candidate>;
  readonly report: (event: ReloadEvent) => void;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly debounceMs?: number;
  readonly pollMs?: number;
}

export interface Reload {
  /** Checks the file; resolves once the new graph is in service or was rejected. */
  checkNow(): Promise<void>;
  close(): Promise<void>;
}

/** Twice the limit of a configuration, so that the compiler reports content that is too large. */
export const maxConfigurationFileBytes = 2 * 1024 * 1024;

/** The time that new authenticators have to become healthy. */
const healthTimeoutMs = 60_000;

/** The interval of health checks; kube-apiserver checks every ten seconds. */
const healthIntervalMs = 200;

const controller = 'apiserver_authentication_config_controller';

/** Watches the configuration file and puts every valid and healthy version into service. */
export const startReload = (options: ReloadOptions): Reload => {
  const { serving, load, link, report, clock, metrics, log } = options;
  let servingHash = options.servingHash;
  /**
   * The hash of invalid content or the reason of a failed read, so that it is neither tried nor
   * reported again.
   */
  let lastFailure = '';
  let attempt: Attempt | undefined;

  const onReading = async (reading: FileReading): Promise<void> => {
    try {
      await processReading(reading);
    } catch (cause) {
      // This is an internal error; the graph in service is not affected.
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

  /** Compiles immediately. Waiting for health continues while the file is checked further. */
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
    // Reading, linking and preparing a large graph take milliseconds each; requests run in between.
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
  // The file may have changed after the caller read it and before the watch started.
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

/**
 * Rejects a changed `anonymous` section, which the compiler cannot detect because it sees one
 * version only.
 */
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
  /** Resolves when the attempt has ended, with either outcome. */
  readonly settled: Promise<void>;
  abandon(): Promise<void>;
}

type HealthOutcome =
  | { readonly kind: 'healthy' }
  | { readonly kind: 'unhealthy'; readonly reasons: readonly string[] };

/** Waits for the authenticators of a candidate; `undefined` if all are ready already. */
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
    // Most issuers answer before the second check; only a longer wait is reported.
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
