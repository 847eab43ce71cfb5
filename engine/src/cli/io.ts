/** The process interface of commands; tests replace it. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';

/**
 * Why a file could not be read or written, in the words of kube-apiserver: `open x: no such file or
 * directory`.
 */
export interface FileFailure {
  readonly kind: 'failure';
  readonly reason: string;
}

export type FileText =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Present if the bytes are not UTF-8; the text is then not compiled. */
      readonly broken?: Diagnostic;
    }
  | FileFailure;

export interface Stream {
  write(text: string): void;
  /**
   * Replaces the last line on a terminal. The text has no line end; an empty one clears the line.
   */
  replaceLine(text: string): void;
  readonly isTerminal: boolean;
  /** The width of the terminal; 80 without a terminal. */
  readonly columns: number;
}

export interface Io {
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** Reads a file, or standard input for `-`, up to `maxInputBytes`. */
  readText(path: string): Promise<FileText>;
  /** Writes a file, or standard output for `-`. */
  writeText(path: string, text: string): Promise<FileFailure | undefined>;
  /** Returns an environment variable. */
  variable(name: string): string | undefined;
  /** Aborted on SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Calls the listener on SIGHUP, which ends the process only if its terminal has closed. */
  onHangup(listener: () => void): void;
  /** Prevents SIGUSR1 from opening Node's inspector, which lets local processes run code. */
  ignoreInspectorSignal(): void;
}

/** Exceeds any configuration, artifact, token or key set. */
export const maxInputBytes = 64 * 1024 * 1024;
