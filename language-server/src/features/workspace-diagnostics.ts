/**
 * Diagnostics of the configurations that are not open, if the setting is `workspace`: pulled by the
 * client, or pushed to clients that do not pull.
 */
import {
  CancellationToken,
  type Diagnostic,
  DocumentDiagnosticReportKind,
  type WorkspaceDiagnosticReport,
  type WorkspaceFullDocumentDiagnosticReport,
} from 'vscode-languageserver';
import { canonicalUri } from '../folders.ts';
import { limits } from '../limits.ts';
import { memberOf, stringMemberOf } from '../member-of.ts';
import type { Workspace } from '../workspace.ts';
import { documentDiagnostics, resultIdOf } from './diagnostics.ts';
import type { Feature, HandlerFactory } from './feature.ts';

interface ReportedFile {
  readonly uri: string;
  readonly items: readonly Diagnostic[];
}

/** The keys are canonical URIs, because clients escape differently. */
interface ClosedDiagnostics {
  readonly files: ReadonlyMap<string, ReportedFile>;
  /** Files that are being analyzed: their previous diagnostics remain valid. */
  readonly analyzing: ReadonlySet<string>;
}

/** Returns the diagnostics of all configurations that are not open. */
const closedDiagnostics = async (
  { workspace, pause }: Pick<HandlerFactory, 'workspace' | 'pause'>,
  token: CancellationToken,
): Promise<ClosedDiagnostics> => {
  const files = new Map<string, ReportedFile>();
  if (workspace.options.diagnosticsScope !== 'workspace') return { files, analyzing: new Set() };
  // Levels of settings files and groups of samples apply.
  await workspace.whenSearched();
  const { compiled, analyzing } = await workspace.closedDocuments();
  let turnStarted = performance.now();
  for (const document of compiled) {
    if (performance.now() - turnStarted > limits.analysisTurnMs) {
      await pause(token);
      turnStarted = performance.now();
    }
    const { uri } = document;
    files.set(canonicalUri(uri), { uri, items: documentDiagnostics(workspace, uri, document) });
  }
  return { files, analyzing: new Set(analyzing.map(({ uri }) => canonicalUri(uri))) };
};

const openFiles = ({ openUris }: Workspace): ReadonlyMap<string, string> =>
  new Map(openUris.map((uri) => [canonicalUri(uri), uri]));

/** Returns the reports that differ from those that the client has, by URI. */
const changedReports = async (
  handlers: HandlerFactory,
  /** IDs by canonical URI. */
  known: ReadonlyMap<string, string>,
  token: CancellationToken,
): Promise<WorkspaceFullDocumentDiagnosticReport[]> => {
  const { workspace } = handlers;
  const { files, analyzing } = await closedDiagnostics(handlers, token);
  const reported = new Map(files);
  const open = openFiles(workspace);
  if (workspace.options.diagnosticsScope === 'workspace') {
    for (const [key, uri] of open) {
      if (workspace.isAnalyzing(uri)) continue;
      reported.set(key, { uri, items: documentDiagnostics(workspace, uri) });
    }
  }
  for (const uri of [...workspace.closedUris(), ...known.keys()]) {
    const key = canonicalUri(uri);
    if (reported.has(key) || analyzing.has(key) || open.has(key)) continue;
    reported.set(key, { uri, items: none });
  }
  return [...reported].flatMap(([key, { uri, items }]) => {
    const resultId = resultIdOf(items);
    if (known.get(key) === resultId) return [];
    const kind = DocumentDiagnosticReportKind.Full;
    return [{ kind, uri, version: null, resultId, items: [...items] }];
  });
};

const none: readonly Diagnostic[] = [];

export const workspaceDiagnostics: Feature = {
  capabilities: {},
  register(connection, handlers) {
    const answer = handlers.guardedAsync(
      async (params: unknown, token): Promise<WorkspaceDiagnosticReport> => {
        const known = knownResults(params);
        const deadline = performance.now() + limits.workspaceDiagnosticsWaitMs;
        for (;;) {
          const change = nextChange(handlers, token, deadline);
          try {
            const items = await changedReports(handlers, known, token);
            // Clients repeat the request, so it is answered once there is something to report.
            if (items.length > 0 || !(await change.happened)) return { items };
          } finally {
            change.dispose();
          }
        }
      },
      { items: [] },
    );
    connection.languages.diagnostics.onWorkspace((params, token) => answer(params, token));
  },
};

/** Returns the IDs of the results that the client has, by canonical URI. */
const knownResults = (params: unknown): ReadonlyMap<string, string> => {
  const list = memberOf(params, 'previousResultIds');
  return new Map(
    (Array.isArray(list) ? list : []).flatMap((each) => {
      const [uri, value] = [stringMemberOf(each, 'uri'), stringMemberOf(each, 'value')];
      return uri === undefined || value === undefined ? [] : [[canonicalUri(uri), value] as const];
    }),
  );
};

/** Waits for a change; `happened` is false if the request is canceled or has waited too long. */
const nextChange = (
  { workspace }: Pick<HandlerFactory, 'workspace'>,
  token: CancellationToken,
  deadline: number,
): { readonly happened: Promise<boolean>; dispose(): void } => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, Math.max(0, deadline - performance.now()), false);
  // A browser returns a number.
  if (typeof timer === 'object') timer.unref();
  const subscriptions = [
    workspace.onClosedChanged(() => resolve(true)),
    token.onCancellationRequested(() => resolve(false)),
  ];
  return {
    happened: promise,
    dispose(): void {
      clearTimeout(timer);
      for (const each of subscriptions) each.dispose();
    },
  };
};

/** Pushes the diagnostics of closed files that have changed since they were pushed last. */
export const createClosedPushes = (
  handlers: HandlerFactory,
  send: (uri: string, diagnostics: Diagnostic[]) => void,
) => {
  const pushed = new Map<string, ReportedFile>();
  let isPushing = false;
  /** Whether something has changed since the push in progress started. */
  let isDue = false;
  const push = handlers.guardedAsync(async (_: undefined, token): Promise<void> => {
    const { files, analyzing } = await closedDiagnostics(handlers, token);
    const open = openFiles(handlers.workspace);
    for (const [key, { uri }] of pushed) {
      if (files.has(key) || analyzing.has(key) || open.has(key)) continue;
      pushed.delete(key);
      send(uri, []);
    }
    for (const [key, file] of files) {
      const { uri, items } = file;
      const before = pushed.get(key)?.items ?? none;
      // An open document has diagnostics of its own.
      if (open.has(key) || before === items || (before === none && items.length === 0)) continue;
      pushed.set(key, file);
      send(uri, [...items]);
    }
  }, undefined);
  return {
    /** Pushes now, and once more if it is called again in the meantime. */
    async push(): Promise<void> {
      isDue = true;
      if (isPushing) return;
      isPushing = true;
      while (isDue) {
        isDue = false;
        // Rejects only after a shutdown.
        await push(undefined, CancellationToken.None).catch(() => undefined);
      }
      isPushing = false;
    },
    /** Pushes the diagnostics of a file again after it was opened and closed. */
    forget: (uri: string): boolean => pushed.delete(canonicalUri(uri)),
  };
};
