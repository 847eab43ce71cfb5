/**
 * Measures which blocks of the server's HTTP/2 code have run with V8's own counters
 * (`node:inspector`), which need neither an instrumented build nor a package.
 */
import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';

const isMeasured = (url: string): boolean => url.includes('/engine/src/server/http2/');

export interface Coverage {
  /** Returns what ran since the last call. */
  take(): Sample;
  /** Returns true if the sample has code that no earlier sample has. */
  isNew(sample: Sample): boolean;
  /** Records the sample; returns true if it has new code. */
  add(sample: Sample): boolean;
  /** Forgets all samples. */
  clear(): void;
  /**
   * Reports the recorded coverage: characters of code inside functions, and which of them ran, by
   * line.
   */
  report(): readonly FileCoverage[];
}

/** Marks by file, one byte per character: 0 outside of functions, 1 not run, 2 run. */
export type Sample = ReadonlyMap<string, Uint8Array>;

export interface FileCoverage {
  readonly file: string;
  readonly characters: number;
  readonly covered: number;
  readonly missedLines: readonly number[];
}

/** Starts counting, including code that was loaded before. */
export const startCoverage = (): Coverage => {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const seen = new Map<string, Uint8Array>();
  const isNew = (sample: Sample): boolean =>
    [...sample].some(([url, marks]) => {
      const before = seen.get(url);
      return marks.some((mark, at) => mark === 2 && before?.[at] !== 2);
    });
  return {
    take() {
      let sample = new Map<string, Uint8Array>();
      session.post('Profiler.takePreciseCoverage', (error, answer) => {
        if (error !== null) throw error;
        const scripts = answer.result.filter(({ url }) => isMeasured(url));
        sample = new Map(scripts.map((script) => [script.url, marksOf(script)]));
      });
      return sample;
    },
    isNew,
    add(sample) {
      const hasNew = isNew(sample);
      for (const [url, marks] of sample) {
        const before = seen.get(url) ?? new Uint8Array(marks.length);
        seen.set(url, before);
        for (const [at, mark] of marks.entries()) {
          if (mark > (before[at] ?? 0)) before[at] = mark;
        }
      }
      return hasNew;
    },
    clear: () => seen.clear(),
    report: () => [...seen].map(([url, marks]) => reportOf(url, marks)),
  };
};

const lengths = new Map<string, number>();
const lengthOf = (url: string): number => {
  const length = lengths.get(url) ?? readFileSync(fileURLToPath(url), 'utf8').length;
  lengths.set(url, length);
  return length;
};

/** Ranges are ordered from the outermost to the innermost, so that the innermost one counts. */
const marksOf = ({ url, functions }: Profiler.ScriptCoverage): Uint8Array => {
  const marks = new Uint8Array(lengthOf(url));
  for (const { functionName, ranges } of functions) {
    const [whole] = ranges;
    // The module itself ran when it was loaded.
    if (whole === undefined || (functionName === '' && whole.startOffset === 0)) continue;
    for (const { startOffset, endOffset, count } of ranges) {
      marks.fill(count > 0 ? 2 : 1, startOffset, endOffset);
    }
  }
  return marks;
};

const reportOf = (url: string, marks: Uint8Array): FileCoverage => {
  const text = readFileSync(fileURLToPath(url), 'utf8');
  const missed = new Set<number>();
  let line = 1;
  let characters = 0;
  let covered = 0;
  for (const [at, value] of marks.entries()) {
    if (text[at] === '\n') line += 1;
    if (value === 0 || /\s/.test(text[at] ?? '')) continue;
    characters += 1;
    if (value === 2) covered += 1;
    else missed.add(line);
  }
  const file = url.slice(url.indexOf('/http2/') + '/http2/'.length);
  return { file, characters, covered, missedLines: [...missed] };
};
