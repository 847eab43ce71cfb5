/**
 * Decides which texts may be compiled at once in the thread that answers the editor. A long text is first
 * analyzed with a deadline: by another thread where there are threads, which also bounds its memory, then here
 * in turns, between which requests are answered. Where that does not end in time, the file is given up
 * until it changes, and all other files are answered as before. Once a text has passed, small edits of
 * it are compiled at once, since the work for them is bounded by what was measured.
 */
import { changedRange } from '@authgraph/engine/language';
import { type CompiledText, type ConfigurationPart, compilePartsSteps } from './compile-parts.ts';
import type { EditorOptions } from './editor-options.ts';
import type { AnalysisRequest, AnalysisOutcome } from './host.ts';
import { limits } from './limits.ts';
import { runInTurns } from './run-in-turns.ts';

/** Why the analysis of a file was stopped. */
export type StopReason = Exclude<AnalysisOutcome, 'finished'>;

export type GuardVerdict =
  /** With the result of the analysis of this text or of the text before a small edit, if there was one. */
  | { readonly kind: 'compile'; readonly analyzed?: AnalyzedText | undefined }
  /** It is being analyzed. */
  | { readonly kind: 'waiting'; readonly settled: Promise<void> }
  | { readonly kind: 'stopped'; readonly reason: StopReason };

export interface AnalyzedText extends CompiledText {
  readonly text: string;
}

export interface GuardedText {
  /** What is known is known of this: the URI, or another name where the text is not the document's own. */
  readonly key: string;
  readonly uri: string;
  readonly text: string;
  readonly options: EditorOptions;
  /** Whether the settings call the file a configuration. */
  readonly expected: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface CompileGuard {
  /** Starts the analysis of a long text that is not known yet. */
  check(request: GuardedText): GuardVerdict;
  /** Notes how long the compilation of a text took that `check` allowed. */
  recordDuration(order: GuardedText, milliseconds: number): void;
  /** Forgets the text. */
  forget(key: string): void;
}

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

const compile: GuardVerdict = { kind: 'compile' };

export const createCompileGuard = (sources: {
  /** Absent where there are no threads. */
  readonly analyze:
    | ((request: AnalysisRequest, timeoutMs: number) => Promise<AnalysisOutcome>)
    | undefined;
  /** Called after each analysis; `stopped` is absent for one that ended. */
  readonly onSettled: (uri: string, stopped: StopReason | undefined) => void;
}): CompileGuard => {
  const { analyze } = sources;
  const states = new Map<string, State>();
  /** Files that took too long when they were compiled at once. */
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
        // Who asked for another text waits for it.
        if (key === uri) sources.onSettled(uri, stopped);
      });
    running.state = { kind: 'running', settled };
    states.set(key, running.state);
    return settled;
  };

  return {
    check(request) {
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
    recordDuration({ key, text, options }, milliseconds) {
      // A text that is slow now is analyzed elsewhere the next time, however short.
      if (milliseconds > options.analysisTimeoutMs) {
        slow.add(key);
        states.delete(key);
      } else if (states.get(key)?.kind === 'passed') {
        states.set(key, { kind: 'passed', text, options });
      }
    },
    forget(key) {
      states.delete(key);
      slow.delete(key);
    },
  };
};

/** The result of the analysis, or why there is none. */
const analyzeGuarded = async (
  analyze: Parameters<typeof createCompileGuard>[0]['analyze'],
  { uri, text, options, expected, now }: GuardedText,
  isWanted: () => boolean,
): Promise<readonly ConfigurationPart[] | StopReason | undefined> => {
  const { targetRelease, analysisTimeoutMs: timeoutMs } = options;
  const outcome = await analyze?.({ uri, text, targetRelease, expected, now: now() }, timeoutMs);
  if (outcome !== undefined && outcome !== 'finished') return outcome;
  try {
    const steps = compilePartsSteps({ uri, getText: () => text }, options, { expected, now });
    return (await runInTurns(steps, { timeoutMs, isWanted })) ?? 'too slow';
  } catch {
    // It comes again where it is reported: when a request compiles the text.
    return undefined;
  }
};

const isSmallEdit = (before: string, after: string): boolean => {
  const { start, newEnd } = changedRange(before, after);
  return newEnd - start <= limits.unguardedEdit;
};
