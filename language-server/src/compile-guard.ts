/**
 * Decides which documents may be compiled immediately on the thread that answers the editor. A long
 * document is first analyzed under a deadline: on another thread where threads exist, which also
 * bounds its memory, then here in slices between which other requests are answered. If the analysis
 * does not finish in time, the document is not compiled until it changes, and all other documents
 * are served as before. After a document has passed, small edits of it are compiled immediately
 * because the measurement bounds their cost.
 */
import { changedRange, type ResumableWork } from '@authgraph/engine/language';
import { type CompiledText, type ConfigurationPart, compilePartsSteps } from './compile-parts.ts';
import { type EditorOptions, targetReleaseOf } from './editor-options.ts';
import type { AnalysisOutcome, AnalysisRequest } from './host.ts';
import { limits } from './limits.ts';
import { pauseForRequests, runTurn } from './run-turn.ts';

/** Why the analysis of a file was stopped. */
export type StopReason = Exclude<AnalysisOutcome, 'finished'>;

export type GuardState =
  /**
   * Includes the result of the analysis of this text, or of the text before a small edit, if there
   * is one.
   */
  | { readonly kind: 'compile'; readonly analyzed?: AnalyzedText | undefined }
  /** The analysis is running. */
  | { readonly kind: 'waiting'; readonly settled: Promise<void> }
  | { readonly kind: 'stopped'; readonly reason: StopReason };

export interface AnalyzedText extends CompiledText {
  readonly text: string;
}

export interface GuardedText {
  /**
   * Identifies the state of the text: the URI, or another key if the text is not the document's
   * own.
   */
  readonly key: string;
  readonly uri: string;
  readonly text: string;
  readonly options: EditorOptions;
  /** Whether the settings declare the file to be a configuration. */
  readonly isDeclared: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export type CompileGuard = ReturnType<typeof createCompileGuard>;

type State =
  | { readonly kind: 'running'; readonly settled: Promise<void> }
  | {
      readonly kind: 'passed';
      readonly text: string;
      readonly options: EditorOptions;
      readonly analyzed?: AnalyzedText | undefined;
    }
  | {
      readonly kind: 'stopped';
      readonly text: string;
      readonly options: EditorOptions;
      readonly reason: StopReason;
    };

const compile: GuardState = { kind: 'compile' };

export const createCompileGuard = (sources: {
  /** Absent on hosts without threads. */
  readonly analyze:
    | ((request: AnalysisRequest, timeoutMs: number) => Promise<AnalysisOutcome>)
    | undefined;
  /** Called after each analysis; `stopped` is absent if the analysis finished. */
  readonly onSettled: (uri: string, stopped: StopReason | undefined) => void;
}) => {
  const { analyze } = sources;
  const states = new Map<string, State>();
  /** Keys of texts that took too long when they were compiled immediately. */
  const slow = new Set<string>();

  const start = (request: GuardedText): Promise<void> => {
    const { key, uri, text, options } = request;
    const running: { state?: State } = {};
    const isWanted = (): boolean => states.get(key) === running.state;
    const settled = Promise.resolve()
      .then(() => analyzeGuarded(analyze, request, isWanted))
      .then((result) => {
        // The file was closed in the meantime.
        if (!isWanted()) return;
        const stopped = typeof result === 'string' ? result : undefined;
        states.set(
          key,
          typeof result === 'string'
            ? { kind: 'stopped', text, options, reason: result }
            : {
                kind: 'passed',
                text,
                options,
                analyzed: result && { text, options, parts: result },
              },
        );
        // A request for another version of the text awaits `settled` itself.
        if (key === uri) sources.onSettled(uri, stopped);
      });
    running.state = { kind: 'running', settled };
    states.set(key, running.state);
    return settled;
  };

  return {
    /**
     * Returns what to do with a text; starts the analysis of a long text that has not been analyzed
     * yet.
     */
    check(request: GuardedText): GuardState {
      const { key, text, options } = request;
      if (text.length <= limits.unguardedLength && !slow.has(key)) return compile;
      const state = states.get(key);
      if (state?.kind === 'running') return { kind: 'waiting', settled: state.settled };
      if (state?.options === options) {
        if (state.kind === 'passed' && isSmallEdit(state.text, text))
          return { kind: 'compile', analyzed: state.analyzed };
        if (state.kind === 'stopped' && state.text === text)
          return { kind: 'stopped', reason: state.reason };
      }
      return { kind: 'waiting', settled: start(request) };
    },
    /** Records how long compiling a text took after `check` allowed it. */
    recordDuration({ key, text, options }: GuardedText, milliseconds: number): void {
      // A text that was slow once is analyzed under the deadline next time, however short it is.
      if (milliseconds > options.analysisTimeoutMs) {
        slow.add(key);
        states.delete(key);
      } else if (states.get(key)?.kind === 'passed') {
        states.set(key, { kind: 'passed', text, options });
      }
    },
    /** Forgets the state of a text. */
    forget(key: string): void {
      states.delete(key);
      slow.delete(key);
    },
  };
};

/** Returns the compiled parts, or the reason why the analysis stopped. */
const analyzeGuarded = async (
  analyze: Parameters<typeof createCompileGuard>[0]['analyze'],
  { uri, text, options, isDeclared, now }: GuardedText,
  isWanted: () => boolean,
): Promise<readonly ConfigurationPart[] | StopReason | undefined> => {
  const { analysisTimeoutMs: timeoutMs } = options;
  const targetRelease = targetReleaseOf(options);
  const outcome = await analyze?.({ uri, text, targetRelease, isDeclared, now: now() }, timeoutMs);
  if (outcome !== undefined && outcome !== 'finished') return outcome;
  try {
    const steps = compilePartsSteps({ uri, getText: () => text }, options, { isDeclared, now });
    return (await runInTurns(steps, timeoutMs, isWanted)) ?? 'too slow';
  } catch {
    // The exception is thrown again, and logged, when a request compiles the text.
    return undefined;
  }
};

/**
 * Runs long work in slices, so that requests are answered between them. Returns `undefined` if the
 * work took too long, not counting the pauses, or if its result is no longer needed.
 */
const runInTurns = async <Result>(
  steps: ResumableWork<Result>,
  timeoutMs: number,
  isWanted: () => boolean,
): Promise<Result | undefined> => {
  let spentMs = 0;
  while (spentMs <= timeoutMs && isWanted()) {
    const started = performance.now();
    const done = runTurn(steps);
    if (done !== undefined) return done.result;
    spentMs += performance.now() - started;
    await pauseForRequests();
  }
  return undefined;
};

const isSmallEdit = (before: string, after: string): boolean => {
  const { start, newEnd } = changedRange(before, after);
  return newEnd - start <= limits.unguardedEdit;
};
