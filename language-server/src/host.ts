/** What differs between the process and the browser: files, the clock, digests. */
import type { Digest, Ports, Release } from '@authgraph/engine';
import type { WorkspaceFiles } from './files.ts';

export interface ServerHost {
  /** How the workspace is read, once its folders are known. */
  files(folders: readonly string[]): WorkspaceFiles;
  /** Milliseconds since 1970. */
  now(): number;
  readonly digest: Pick<Digest, 'sha256Hex'>;
  /** Analyzes a text in another thread, which ends after the time; absent where there are no threads. */
  readonly analyze?: (request: AnalysisRequest, timeoutMs: number) => Promise<AnalysisOutcome>;
  /** Opens the way to issuers, for a question that the user asked; absent where there is none. */
  readonly issuers?: () => Promise<IssuerAccess>;
}

export interface AnalysisRequest {
  readonly uri: string;
  readonly text: string;
  readonly targetRelease: Release;
  /** Whether the settings call the file a configuration. */
  readonly expected: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export type AnalysisOutcome = 'finished' | 'too slow' | 'too much memory';

export interface IssuerAccess {
  readonly ports: Ports;
  close(): Promise<void>;
}
