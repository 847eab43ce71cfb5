/** What differs between Node and the browser: files, threads, access to the network. */
import type { Ports, Release } from '@authgraph/engine';
import type { WorkspaceFiles } from './files.ts';

export interface ServerHost {
  /** Returns the access to files in the workspace folders; absent on hosts without files. */
  readonly files?: (folders: readonly string[]) => WorkspaceFiles;
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Analyzes a text on another thread and stops after the timeout; absent on hosts without threads.
   */
  readonly analyze?: (request: AnalysisRequest, timeoutMs: number) => Promise<AnalysisOutcome>;
  /**
   * Opens access to issuers for a request of the user; absent on hosts that cannot contact them.
   */
  readonly issuers?: () => Promise<IssuerAccess>;
}

export interface AnalysisRequest {
  readonly uri: string;
  readonly text: string;
  readonly targetRelease: Release;
  /** Whether the settings declare the file to be a configuration. */
  readonly isDeclared: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export type AnalysisOutcome = 'finished' | 'too slow' | 'too much memory';

export interface IssuerAccess {
  readonly ports: Ports;
  close(): Promise<void>;
}
