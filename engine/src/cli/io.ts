/** The process interface of commands; tests replace it. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';

/**
 * Why a file could not be read or written, in the words of kube-apiserver: `open x: no such file or
 * directory`.
 */
export interface FileFailure {
  readonly kind: 'failure';
  readonly reason: string;
  /** How to fix it; absent if the reason is sufficient. */
  readonly help?: string;
  /** True if the file is larger than the caller reads. */
  readonly isTooLarge?: boolean;
  /** True if a Git revision exists and does not have the file or folder. */
  readonly isAbsent?: boolean;
}

export type FileText =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Present if the bytes are not UTF-8; the text is then not compiled. */
      readonly broken?: Diagnostic;
      /** The content, if it is not the UTF-8 encoding of the text, such as UTF-16. */
      readonly bytes?: Uint8Array;
    }
  | FileFailure;

/**
 * A name in a folder. Symbolic links to files below the folder count as files, and all others as
 * others.
 */
export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

/** The files below a folder of a Git revision: their paths in the folder, with the IDs of their content. */
export interface RevisionListing {
  readonly kind: 'listing';
  readonly blobByPath: ReadonlyMap<string, string>;
}

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

/** A file of a Git revision. */
export interface FoundInRevision {
  /** `REVISION:PATH`; absent if there is no such file. */
  readonly name?: string;
  /** The file with its content, named in the same form: it differs from `name` for a symbolic link. */
  readonly target?: string;
  /** The names of nearer symbolic links that do not lead to a file of the revision. */
  readonly unusable: readonly string[];
  /** The top folder of the working tree; `undefined` in a bare repository. */
  readonly top: string | undefined;
}

export interface Io {
  /** What a user types to run the program, if it is not `authgraph`: `kubectl authgraph`. */
  readonly programName?: string | undefined;
  readonly stdout: Stream;
  readonly stderr: Stream;
  /**
   * Reads a file, or standard input for `-`, up to `maxInputBytes`; with `maxBytes` only a regular
   * file of that size, because the user did not name it.
   */
  readText(path: string, maxBytes?: number): Promise<FileText>;
  /** Reads a file of a Git revision, named `REVISION:PATH`; `undefined` for other names. */
  readRevision(name: string): Promise<FileText | undefined>;
  /**
   * Lists the files below a folder of a Git revision, named `REVISION:FOLDER`; `undefined` for other
   * names.
   */
  listRevision(name: string): Promise<RevisionListing | FileFailure | undefined>;
  /**
   * Finds the nearest file with a name in the folder of `REVISION:PATH` or above; `undefined` for
   * other names, and if Git has no such revision.
   */
  findInRevision(name: string, fileName: string): Promise<FoundInRevision | undefined>;
  /** Returns the names in a folder, sorted; `undefined` if the path is not a folder. */
  listFolder(path: string): readonly FolderEntry[] | FileFailure | undefined;
  /** Returns whether a path leads to a regular file, also to one that cannot be read. */
  isFile(path: string): boolean;
  /**
   * Returns the ID of the user who owns a file or folder; `undefined` if that is the current user or
   * root, if there is no such file, and on systems without such IDs.
   */
  otherOwner(path: string): number | undefined;
  /** Replaces a file atomically if it still has the content `before`. */
  replaceText(path: string, before: string, after: string): Promise<FileFailure | undefined>;
  /** Writes a file, or standard output for `-`. */
  writeText(path: string, text: string): Promise<FileFailure | undefined>;
  /** Returns an environment variable. */
  variable(name: string): string | undefined;
  /** The most threads that can read files like this one; 1 if this thread alone can. */
  readonly maxThreads: number;
  /** Aborted on SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Calls the listener on SIGHUP, which ends the process only if its terminal has closed. */
  onHangup(listener: () => void): void;
  /**
   * Passes warnings of Node to the listener instead of standard error, and prevents SIGUSR1 from
   * opening Node's inspector, which lets local processes run code.
   */
  onProcessNotice(listener: (notice: string) => void): void;
}

/** The most threads of a command, beyond which reading files is the bottleneck. */
export const maxThreads = 16;

/** Exceeds any configuration, artifact, token or key set. */
export const maxInputBytes = 64 * 1024 * 1024;
