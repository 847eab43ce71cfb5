/** The interface of every language feature: its capabilities and its handlers. */

import type { ResumableWork } from '@authgraph/engine/language';
import type {
  CancellationToken,
  ClientCapabilities,
  Connection,
  Position,
  ServerCapabilities,
} from 'vscode-languageserver';
import type { EditorOptions } from '../editor-options.ts';
import type { ClientOptions } from '../protocol.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';

/** What a feature works on: one configuration and its workspace. */
export interface PartContext {
  readonly workspace: Workspace;
  readonly part: ConfigurationPart;
}

/** A position in addition: an offset in the configuration's own text. */
export interface PlaceContext extends PartContext {
  readonly offset: number;
}

interface DocumentParams {
  readonly textDocument: { readonly uri: string };
}

interface PlaceParams extends DocumentParams {
  readonly position: Position;
}

/**
 * Wraps feature functions in request handlers. A handler does not throw on a bug: it logs the
 * failure without any text of the document, and answers as if it had found nothing.
 */
export interface HandlerFactory {
  readonly workspace: Workspace;
  /**
   * Throws if the request was canceled or the server is shut down. All wrapped handlers call it
   * first.
   */
  ensureActive(token: CancellationToken): void;
  /** Lets other requests run, then checks again that this one is still active. */
  pause(token: CancellationToken): Promise<void>;
  /** Runs work in turns, with a pause after each of them. */
  inTurns<Result>(work: ResumableWork<Result>, token: CancellationToken): Promise<Result>;
  /** Wraps a request at a position. The handler returns null outside of configurations. */
  atPosition<Params extends PlaceParams, Answer>(
    answer: (context: PlaceContext, params: Params, token: CancellationToken) => Answer | undefined,
  ): (params: Params, token: CancellationToken) => Answer | null;
  /** Wraps a request about a document: concatenates the results of all its configurations. */
  forEachConfiguration<Params extends DocumentParams, Item>(
    answer: (context: PartContext, params: Params, token: CancellationToken) => readonly Item[],
  ): (params: Params, token: CancellationToken) => Item[];
  /** Wraps any other synchronous handler. */
  guarded<Params, Answer>(
    answer: (params: Params, token: CancellationToken) => Answer,
    otherwise: Answer,
  ): (params: Params, token: CancellationToken) => Answer;
  /** Wraps an asynchronous handler. */
  guardedAsync<Params, Answer>(
    answer: (params: Params, token: CancellationToken) => Promise<Answer>,
    otherwise: Answer,
  ): (params: Params, token: CancellationToken) => Promise<Answer>;
}

export interface Feature {
  readonly capabilities:
    | ServerCapabilities
    | ((client: ClientCapabilities, clientOptions: ClientOptions) => ServerCapabilities);
  register(connection: Connection, handlers: HandlerFactory): void;
  /** Called when the client is ready and whenever the settings change. */
  configure?(
    connection: Connection,
    state: { readonly client: ClientCapabilities; readonly options: EditorOptions },
  ): void;
}
