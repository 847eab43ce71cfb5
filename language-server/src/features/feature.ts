/** The shape that every feature has: what it announces, and how it answers. */
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

/** What a feature knows: one configuration and the workspace around it. */
export interface PartContext {
  readonly workspace: Workspace;
  readonly part: ConfigurationPart;
}

/** The same with a place: an offset in the configuration's own text. */
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
 * Makes handlers of pure functions. A handler never throws: a fault is reported to the client's log,
 * without any text of the document, and the answer is as for a document that says nothing.
 */
export interface HandlerFactory {
  readonly workspace: Workspace;
  /** Throws where nobody waits for an answer any more; the others below begin with it. */
  ensureActive(token: CancellationToken): void;
  /** Lets other questions have their turn, and then admits this one again. */
  pause(token: CancellationToken): Promise<void>;
  /** For requests at a place. `undefined` outside of configurations. */
  atPosition<Params extends PlaceParams, Answer>(
    answer: (context: PlaceContext, params: Params, token: CancellationToken) => Answer | undefined,
  ): (params: Params, token: CancellationToken) => Answer | null;
  /** For requests about a document: what all of its configurations answer, one after the other. */
  forEachConfiguration<Params extends DocumentParams, Item>(
    answer: (context: PartContext, params: Params, token: CancellationToken) => readonly Item[],
  ): (params: Params, token: CancellationToken) => Item[];
  /** For everything else. */
  guarded<Params, Answer>(
    answer: (params: Params, token: CancellationToken) => Answer,
    otherwise: Answer,
  ): (params: Params, token: CancellationToken) => Answer;
  /** For what has to be waited for: roles that are asked, files that are read. */
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
  /** Called once the client is ready, and when the settings are others than before. */
  configure?(
    connection: Connection,
    state: { readonly client: ClientCapabilities; readonly options: EditorOptions },
  ): void;
}
