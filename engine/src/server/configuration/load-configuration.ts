/**
 * Loads the text of a configuration for a running server: compiles it, or reads a compiled
 * artifact. A large configuration is compiled in a worker thread, so that no request waits for it.
 */
import { Worker } from 'node:worker_threads';
import { isArtifactText, readArtifact, writeArtifact } from '../../compile/artifact.ts';
import { compile } from '../../compile/compile.ts';
import type { Origins } from '../../compile/graph.ts';
import type { CompileSettings } from '../../compile/settings.ts';
import { applyFlags } from '../../compile/settings-findings.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { artifactUnusable, compilerStopped } from '../../diagnostics/reload-findings.ts';
import { diagnosticOf } from '../../diagnostics/rule.ts';
import { lint } from '../../lints/lint.ts';
import { nodeClock } from '../../node/clock.ts';
import { nodeDigest } from '../../node/digest.ts';
import { threadUrl } from '../../node/thread-url.ts';
import type { Digest } from '../../ports/digest.ts';
import { type SourceFile, sourceFile } from '../../source/source-file.ts';
import type { LoadedConfiguration } from './reload.ts';

/**
 * The result that the worker thread posts: plain data, with the graph as the text of its artifact.
 */
export interface CompileResult {
  readonly artifact: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly origins: Origins;
}

export interface ThreadRequest {
  readonly uri: string;
  readonly text: string;
  readonly settings: CompileSettings;
}

/** Up to this size, a compilation takes less time than starting a worker thread. */
export const maxInlineCharacters = 16 * 1024;

/** A compilation that exceeds this time is stopped. */
const compileTimeoutMs = 60_000;
const compileMemoryMegabytes = 512;

/**
 * Loads a configuration or an artifact. Invalid content is reported as diagnostics and never
 * rejects the promise.
 */
export const loadConfiguration = async (
  source: SourceFile,
  settings: CompileSettings,
): Promise<LoadedConfiguration> => {
  const digest = nodeDigest();
  if (isArtifactText(source.text)) return loadArtifact(source.text, digest, settings);
  if (source.text.length <= maxInlineCharacters) {
    return compileInline(source, settings);
  }
  const request = { uri: source.uri, text: source.text, settings };
  const { artifact, diagnostics, origins } = await compileInThread(request);
  if (artifact === undefined) return { graph: undefined, diagnostics, origins };
  return { ...loadArtifact(artifact, digest, settings), diagnostics, origins };
};

/** Compiles a configuration in the worker thread. */
export const compileText = ({ uri, text, settings }: ThreadRequest): CompileResult => {
  const { graph, diagnostics, origins } = compileInline(sourceFile(uri, text), settings);
  const artifact = graph && writeArtifact(graph, text, nodeDigest());
  return { artifact, diagnostics, origins };
};

/** Compiles and lints. Lints are included because a reload has no other place to show them. */
const compileInline = (source: SourceFile, settings: CompileSettings): LoadedConfiguration => {
  const compilation = compile({ source, settings, limits: 'refuse' });
  const { graph, origins } = compilation;
  return {
    graph,
    diagnostics: [...compilation.diagnostics, ...lint(compilation, nodeClock().now())],
    origins,
  };
};

const loadArtifact = (
  text: string,
  digest: Digest,
  settings: CompileSettings,
): LoadedConfiguration => {
  const reading = readArtifact(text, digest);
  const origins = new Map();
  if (reading.kind === 'artifact') {
    return { ...applyFlags(reading.artifact.graph, settings), origins };
  }
  return failedLoad(
    diagnosticOf(artifactUnusable, { start: 0, end: 0 }, { reason: reading.message }),
  );
};

const failedLoad = (diagnostic: Diagnostic): LoadedConfiguration & CompileResult => ({
  graph: undefined,
  artifact: undefined,
  diagnostics: [diagnostic],
  origins: new Map(),
});

const compileInThread = (request: ThreadRequest): Promise<CompileResult> =>
  new Promise((resolve) => {
    const worker = new Worker(threadUrl('compile-thread', import.meta.url), {
      workerData: request,
      resourceLimits: { maxOldGenerationSizeMb: compileMemoryMegabytes },
    });
    worker.unref();
    const stop = (reason: string): void => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(failedLoad(diagnosticOf(compilerStopped, { start: 0, end: 0 }, { reason })));
    };
    const timer = setTimeout(() => stop('compilation took more than a minute'), compileTimeoutMs);
    timer.unref();
    worker.once('message', (compiled: CompileResult) => {
      clearTimeout(timer);
      resolve(compiled);
    });
    worker.once('error', (cause) => stop(compilerFailure(cause)));
    worker.once('exit', () => stop('the compiler thread exited'));
  });

const compilerFailure = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? 'the compiler ran out of memory'
    : 'the compiler thread failed';
