/** What differs between the process and the browser: files, the clock, digests. */
import type { Digest, Ports } from '@authgraph/engine';
import type { WorkspaceFiles } from './files.ts';

export interface ServerHost {
  /** How the workspace is read, once its folders are known. */
  files(folders: readonly string[]): WorkspaceFiles;
  /** Milliseconds since 1970. */
  now(): number;
  readonly digest: Pick<Digest, 'sha256Hex'>;
  /** Opens the way to issuers, for a question that the user asked; absent where there is none. */
  readonly issuers?: () => Promise<IssuerAccess>;
}

export interface IssuerAccess {
  readonly ports: Ports;
  close(): Promise<void>;
}
