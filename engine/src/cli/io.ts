/** What commands ask of the process they run in; tests give their own. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';

/** Why a file could not be read or written, in the words of the real server: `open x: no such file or directory`. */
export interface FileFailure {
  readonly kind: 'failure';
  readonly reason: string;
}

export type FileText =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Where the bytes are no UTF-8; no configuration is then made of the text. */
      readonly broken?: Diagnostic;
    }
  | FileFailure;

export interface Stream {
  write(text: string): void;
  /** Replaces the last line of a terminal by this text, which has no line end; empty to clear it. */
  replaceLine(text: string): void;
  readonly isTerminal: boolean;
  /** Columns of the terminal; 80 where there is none. */
  readonly columns: number;
}

export interface Io {
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** `-` reads standard input. Bounded by `maxInputBytes`. */
  readText(path: string): Promise<FileText>;
  /** `-` writes to standard output. */
  writeText(path: string, text: string): Promise<FileFailure | undefined>;
  /** A variable of the environment. */
  variable(name: string): string | undefined;
  /** Aborted when the user asks to end. */
  readonly signal: AbortSignal;
  /** Calls back on each SIGHUP, which then ends the process only if its terminal has closed. */
  onHangup(listener: () => void): void;
  /** Keeps SIGUSR1 from opening Node's inspector, a port that runs code for every local process. */
  ignoreInspectorSignal(): void;
}

/** More than any configuration, artefact, token or key set is. */
export const maxInputBytes = 64 * 1024 * 1024;
