/**
 * A configuration at work: loaded, linked, and changed when its file changes. The listener asks it
 * for the stage that serves; everything that runs a server starts it.
 */
import { hashGraph } from '../compile/artifact.ts';
import type { AuthenticatorGraph } from '../compile/graph.ts';
import type { CompileSettings } from '../compile/settings.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { readBytes } from '../documents/read-bytes.ts';
import { readSnapshot } from '../node/files.ts';
import type { Ports } from '../ports/ports.ts';
import { type LinkedGraph, type LinkOptions, link } from '../runtime/link.ts';
import { type GraphHolder, graphHolder } from '../runtime/swap.ts';
import { type SourceFile, sourceFile } from '../source/source-file.ts';
import { loadConfiguration } from './load-configuration.ts';
import {
  type Candidate,
  maxConfigurationFileBytes,
  type Reload,
  type ReloadEvent,
  startReload,
} from './reload.ts';
import type { Stage, StageHolder } from './stage.ts';

export interface ServingOptions {
  /** A file that is watched, or a text that stays. */
  readonly configuration:
    | { readonly kind: 'file'; readonly path: string; readonly shownPath?: string }
    | { readonly kind: 'text'; readonly name: string; readonly text: string };
  readonly settings: CompileSettings;
  readonly ports: Ports;
  readonly link: LinkOptions;
  readonly report: (event: ReloadEvent) => void;
}

export interface Serving {
  readonly holder: StageHolder;
  /** The graph that serves now. */
  graph(): AuthenticatorGraph;
  /** Settles when every issuer had its first try, or the signal is aborted. */
  firstTries(signal: AbortSignal): Promise<void>;
  /** Absent for a text. */
  readonly reload: Reload | undefined;
  close(): Promise<void>;
}

export type ServingStart =
  | {
      readonly kind: 'serving';
      readonly serving: Serving;
      /** Warnings and hints. */
      readonly source: SourceFile;
      readonly diagnostics: readonly Diagnostic[];
    }
  | Extract<ReloadEvent, { kind: 'refused' | 'unreadable' }>;

/** A server never starts with a broken configuration. */
export const startServing = async (options: ServingOptions): Promise<ServingStart> => {
  const { configuration, ports } = options;
  const reading = await readText(options);
  if (reading.kind !== 'text') return reading;
  const { source, hash } = reading;
  const { graph, diagnostics } = await loadConfiguration(source, options.settings);
  if (graph === undefined) return { kind: 'refused', source, diagnostics };
  const holder = graphHolder(link(graph, ports, options.link));
  const reload =
    configuration.kind === 'file'
      ? startReload({
          path: configuration.path,
          shownPath: configuration.shownPath ?? configuration.path,
          servingHash: hash,
          serving: graph,
          load: (text) => loadConfiguration(text, options.settings),
          link: (next) => candidateOf(next, holder, options),
          report: options.report,
          clock: ports.clock,
          metrics: ports.metrics,
          log: ports.log,
        })
      : undefined;
  return {
    kind: 'serving',
    source,
    diagnostics,
    serving: {
      holder: stageHolder(holder, ports),
      graph: () => holder.current().graph,
      firstTries: (signal) => holder.current().healthy(signal),
      reload,
      async close() {
        await reload?.close();
        await holder.close();
      },
    },
  };
};

type TextReading =
  | { readonly kind: 'text'; readonly source: SourceFile; readonly hash: string }
  | Extract<ReloadEvent, { kind: 'refused' | 'unreadable' }>;

const readText = async ({ configuration, ports }: ServingOptions): Promise<TextReading> => {
  if (configuration.kind === 'text') {
    const { name, text } = configuration;
    return { kind: 'text', source: sourceFile(name, text), hash: ports.digest.sha256Hex(text) };
  }
  const { path, shownPath = path } = configuration;
  const reading = await readSnapshot(path, { maxBytes: maxConfigurationFileBytes });
  if (reading.kind === 'unreadable') return reading;
  const read = readBytes(reading.bytes);
  const source = sourceFile(shownPath, read.text);
  return read.kind === 'text'
    ? { kind: 'text', source, hash: reading.hash }
    : { kind: 'refused', source, diagnostics: [read.diagnostic] };
};

const candidateOf = (
  graph: AuthenticatorGraph,
  holder: GraphHolder,
  { ports, link: linkOptions }: ServingOptions,
): Candidate => {
  const linked = link(graph, ports, linkOptions);
  return {
    unready: () =>
      linked
        .readiness()
        .filter(({ ready }) => !ready)
        .map(({ id, reason }) => reason ?? id),
    install() {
      const gone = issuersGone(holder.current().graph, graph);
      void holder.swap(linked).then(() => forgetIssuers(gone, ports));
    },
    discard: () => linked.close(),
  };
};

const issuersGone = (before: AuthenticatorGraph, after: AuthenticatorGraph): readonly string[] => {
  const staying = new Set(after.nodes.map(({ issuerUrl }) => issuerUrl));
  return before.nodes.map(({ issuerUrl }) => issuerUrl).filter((url) => !staying.has(url));
};

/** Their last requests are over: nothing writes these series again. */
const forgetIssuers = (issuerUrls: readonly string[], { metrics, digest }: Ports): void => {
  for (const url of issuerUrls) {
    const issuer = { jwt_issuer_hash: `sha256:${digest.sha256Hex(url)}` };
    for (const family of ['last_timestamp_seconds', 'last_key_set_info']) {
      metrics.forget(`apiserver_authentication_jwt_authenticator_jwks_fetch_${family}`, issuer);
    }
  }
};

const stageHolder = (holder: GraphHolder, ports: Ports): StageHolder => {
  const stages = new WeakMap<LinkedGraph, Stage>();
  const stageOf = (linked: LinkedGraph): Stage => {
    const known = stages.get(linked) ?? makeStage(linked, ports);
    stages.set(linked, known);
    return known;
  };
  // From the start on: its first tries may be over before the first request.
  stageOf(holder.current());
  return {
    acquire() {
      const lease = holder.acquire();
      return { stage: stageOf(lease.linked), release: lease.release };
    },
  };
};

const makeStage = (linked: LinkedGraph, { digest }: Ports): Stage => {
  let tried = false;
  void linked.healthy(new AbortController().signal).then(() => {
    tried = true;
  });
  return {
    graphHash: hashGraph(linked.graph, digest),
    authenticate: (request, signal) => linked.authenticate(request, signal),
    connection: () => linked.connection(),
    // One issuer that is down must not take the server away from the users of all others: after
    // the first try the log tells, and the tokens of that issuer are refused.
    readinessChecks: () =>
      linked.readiness().map(({ id, ready, reason = '' }) => ({
        name: id.replace(/\[(\d+)\]/, '-$1'),
        ready: ready || tried,
        reason,
      })),
  };
};
