/**
 * Reloads the configuration of a running server: compile, check, link, swap. A failed reload leaves
 * the current graph in service. As in kube-apiserver, invalid content is tried only once, a changed
 * `anonymous` section is rejected, and new authenticators get a minute to become healthy before
 * they replace the old ones.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { AuthenticatorGraph, Origins } from '../../compile/graph.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { diagnosticFields } from '../../diagnostics/log-fields.ts';
import { anonymousChanged } from '../../diagnostics/reload-findings.ts';
import { diagnosticOf } from '../../diagnostics/rule.ts';
import { readBytes } from '../../documents/yaml/read-bytes.ts';
import { type FileReading, watchFile } from '../../node/files.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { aggregateMessages } from '../../runtime/combine-decisions.ts';
import { redactSecrets } from '../../source/redact-secrets.ts';
import { type SourceFile, sourceFile } from '../../source/source-file.ts';
import { type Attempt, type Candidate, waitForHealth } from './wait-for-health.ts';

/** The result of loading a configuration. */
export interface LoadedConfiguration {
  /** Absent if and only if a diagnostic is an error. */
  readonly graph: AuthenticatorGraph | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly origins: Origins;
}

/**
 * What a check of the configuration file led to.
 *
 * @example
 * ```ts
 * const report = (event: ReloadEvent) => {
 *   if (event.kind === 'refused') console.log(event.diagnostics);
 * };
 * ```
 */
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

/**
 * Reloads the configuration file of a running server.
 *
 * @example
 * ```ts
 * const checkNow = (reload: Reload) => reload.checkNow();
 * ```
 */
export interface Reload {
  /** Checks the file; resolves once the new graph is in service or was rejected. */
  checkNow(): Promise<void>;
  close(): Promise<void>;
}

/** Twice the limit of a configuration, so that the compiler reports content that is too large. */
export const maxConfigurationFileBytes = 2 * 1024 * 1024;

/** Watches the configuration file and puts every valid and healthy version into service. */
export const startReload = (options: ReloadOptions): Reload => {
  const { path, debounceMs, pollMs } = options;
  const reloader = new Reloader(options);
  const watch = watchFile(
    path,
    { maxBytes: maxConfigurationFileBytes, debounceMs, pollMs },
    (reading) => reloader.onReading(reading),
  );
  // The file may have changed after the caller read it and before the watch started.
  void watch.checkNow();
  return {
    async checkNow() {
      await watch.checkNow();
      await reloader.attempt?.settled;
    },
    async close() {
      await watch.close();
      await reloader.attempt?.abandon();
    },
  };
};

/** The prefix of kube-apiserver's metrics of its configuration file. */
const controller = 'apiserver_authentication_config_controller';

/** Processes the contents of the file, one after the other. */
class Reloader {
  /** The attempt to put new content into service; absent if there is none. */
  attempt: Attempt | undefined;
  readonly #options: ReloadOptions;
  #servingHash: string;
  /**
   * The hash of invalid content or the reason of a failed read, so that it is neither tried nor
   * reported again.
   */
  #lastFailure = '';

  constructor(options: ReloadOptions) {
    this.#options = options;
    this.#servingHash = options.servingHash;
    this.#reportHash(options.servingHash);
  }

  async onReading(reading: FileReading): Promise<void> {
    try {
      await this.#process(reading);
    } catch (cause) {
      // This is an internal error; the graph in service is not affected.
      if (reading.kind === 'read') this.#lastFailure = reading.hash;
      this.#fail('failed to update authentication config', { ...this.#file, cause });
    }
  }

  async #process(reading: FileReading): Promise<void> {
    if (reading.kind === 'unreadable') return this.#onUnreadable(reading.reason);
    const { hash, bytes } = reading;
    if (hash === this.#servingHash) return this.#restore();
    if (hash === this.#lastFailure || hash === this.attempt?.hash) return;
    await this.attempt?.abandon();
    this.#lastFailure = '';
    this.attempt = await this.#startAttempt(hash, bytes);
  }

  #onUnreadable(reason: string): void {
    if (this.#lastFailure === reason) {
      this.#count('failure');
      return;
    }
    this.#lastFailure = reason;
    this.#fail('failed to read authentication config file', { ...this.#file, reason });
    this.#options.report({ kind: 'unreadable', reason });
  }

  async #restore(): Promise<void> {
    if (this.#lastFailure === '' && this.attempt === undefined) return;
    await this.attempt?.abandon();
    this.attempt = undefined;
    this.#lastFailure = '';
    const { log, report } = this.#options;
    log.event('info', 'the file contains the active configuration again', this.#file);
    report({ kind: 'restored' });
  }

  /** Compiles immediately. Waiting for health continues while the file is checked further. */
  async #startAttempt(hash: string, bytes: Uint8Array): Promise<Attempt | undefined> {
    const { path, shownPath = path, serving, load, link, report, clock, log } = this.#options;
    const read = readBytes(bytes);
    const source = sourceFile(shownPath, read.text);
    const loaded = read.kind === 'text' ? await load(source) : failedLoad(read.diagnostic);
    const diagnostics = [...loaded.diagnostics, ...anonymousChange(loaded, serving)];
    const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
    const { graph } = loaded;
    if (graph === undefined || errors > 0) {
      this.#lastFailure = hash;
      this.#fail('failed to load authentication config', {
        ...serverErrors(diagnostics),
        ...diagnosticFields({ source, diagnostics }),
      });
      report({ kind: 'refused', source, diagnostics });
      return undefined;
    }
    // Reading, linking and preparing a large graph take milliseconds each; requests run in between.
    await yieldToEventLoop();
    const candidate = await link(graph);
    await yieldToEventLoop();
    candidate.prepare();
    const waiting: Parameters<typeof waitForHealth>[2] = {
      clock,
      report: (event) => {
        const { reasons } = event;
        log.event('warn', 'waiting up to a minute for issuers', { ...this.#file, reasons });
        report(event);
      },
    };
    return waitForHealth(hash, candidate, waiting, (outcome) => {
      this.attempt = undefined;
      if (outcome.kind === 'unhealthy') {
        const { reasons } = outcome;
        this.#fail('failed to update authentication config', { ...this.#file, reasons });
        report(outcome);
        return;
      }
      candidate.install();
      this.#servingHash = hash;
      this.#count('success');
      this.#reportHash(hash);
      const advice = diagnostics.length === 0 ? {} : diagnosticFields({ source, diagnostics });
      log.event('info', 'reloaded authentication config', { ...this.#file, hash, ...advice });
      report({ kind: 'reloaded', source, graph, diagnostics });
    });
  }

  #count(status: 'success' | 'failure'): void {
    const { metrics, clock } = this.#options;
    metrics.increment(`${controller}_automatic_reloads_total`, { status });
    metrics.set(`${controller}_automatic_reload_last_timestamp_seconds`, clock.now() / 1000, {
      status,
    });
  }

  /** Replaces the metric with the hash of the file that is used. */
  #reportHash(hash: string): void {
    const { metrics } = this.#options;
    metrics.forget(`${controller}_last_config_info`, {});
    metrics.set(`${controller}_last_config_info`, 1, { hash: `sha256:${hash}` });
  }

  /** Logs kube-apiserver's message, and what it means for the requests. */
  #fail(message: string, fields: Parameters<Log['event']>[2]): void {
    this.#count('failure');
    this.#options.log.event('error', `${message}; ${notReloaded}`, fields);
  }

  /** The field of log events that names the file. */
  get #file(): { readonly file: string } {
    const { path, shownPath = path } = this.#options;
    return { file: shownPath };
  }
}

const notReloaded = 'not reloaded: the last good configuration stays active';

/** Returns the errors of kube-apiserver as it logs them, which `authgraph explain` accepts. */
const serverErrors = (diagnostics: readonly Diagnostic[]): { readonly err?: string } => {
  const messages = diagnostics.flatMap(({ server }) => server?.message ?? []);
  return messages.length === 0 ? {} : { err: redactSecrets(aggregateMessages(messages)) };
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
