/**
 * Repeats requests for code lenses that VS Code dropped. VS Code cancels the scheduled request of
 * an editor that loses the focus, and would show lenses of an older text or sample until the next
 * change.
 */
import { type Disposable, type TextDocument, window, workspace } from 'vscode';
import type { BaseLanguageClient, CodeLensMiddleware } from 'vscode-languageclient';
import { holdsConfiguration } from './known-documents.ts';

export type LensRefresh = ReturnType<typeof createLensRefresh>;

export const createLensRefresh = () => {
  /** The number of refreshes that the language server requested. */
  let refreshes = 0;
  /** What the last lenses of each document were computed from. */
  const fetched = new WeakMap<TextDocument, { version: number; refreshes: number }>();
  /** The number of requests of each document that run. */
  const running = new WeakMap<TextDocument, number>();
  const countRunning = (document: TextDocument, change: number): void => {
    running.set(document, (running.get(document) ?? 0) + change);
  };
  const provideCodeLenses: NonNullable<CodeLensMiddleware['provideCodeLenses']> = async (
    document,
    token,
    next,
  ) => {
    const basis = { version: document.version, refreshes };
    countRunning(document, 1);
    try {
      const lenses = await next(document, token);
      if (!token.isCancellationRequested) fetched.set(document, basis);
      return lenses;
    } finally {
      countRunning(document, -1);
    }
  };
  const isOutdated = (document: TextDocument): boolean => {
    const last = fetched.get(document);
    return last?.version !== document.version || last.refreshes !== refreshes;
  };
  return {
    provideCodeLenses,
    /** Repeats requests until the lenses of the visible configurations are current. */
    follow(client: Pick<BaseLanguageClient, 'getFeature'>): Disposable {
      let timer: ReturnType<typeof setTimeout> | undefined;
      /** When the next repetition is due, in milliseconds; infinite if none is. */
      let due = Number.POSITIVE_INFINITY;
      let isRepeating = false;
      const followed = new Map<object, Disposable>();
      const providers = () =>
        window.visibleTextEditors.flatMap(({ document }) => {
          if (!holdsConfiguration(document)) return [];
          const provider = client.getFeature('textDocument/codeLens').getProvider(document);
          return provider === undefined ? [] : [{ document, provider }];
        });
      const followProviders = (): void => {
        for (const { provider } of providers()) {
          if (followed.has(provider)) continue;
          const { event } = provider.onDidChangeCodeLensEmitter;
          followed.set(
            provider,
            event(() => {
              if (isRepeating) return;
              refreshes += 1;
              check();
            }),
          );
        }
      };
      const repeat = (delay: number): void => {
        due = Number.POSITIVE_INFINITY;
        followProviders();
        const outdated = providers().filter(({ document }) => isOutdated(document));
        if (outdated.length === 0) return;
        const stopped = outdated.filter(({ document }) => (running.get(document) ?? 0) === 0);
        isRepeating = true;
        for (const provider of new Set(stopped.map((each) => each.provider))) {
          provider.onDidChangeCodeLensEmitter.fire();
        }
        isRepeating = false;
        if (delay < longestDelayMs) schedule(2 * delay);
      };
      /** VS Code waits longer after slow requests, and each new request restarts the wait. */
      const schedule = (delay: number): void => {
        clearTimeout(timer);
        due = Date.now() + delay;
        timer = setTimeout(() => repeat(delay), delay);
      };
      /** Further changes do not postpone a repetition, so that lenses are never outdated for long. */
      const check = (): void => {
        followProviders();
        if (due > Date.now() + firstDelayMs) schedule(firstDelayMs);
      };
      check();
      const subscriptions = [
        window.onDidChangeVisibleTextEditors(check),
        workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
          if (contentChanges.length > 0 && holdsConfiguration(document)) check();
        }),
      ];
      return {
        dispose: () => {
          clearTimeout(timer);
          for (const each of [...subscriptions, ...followed.values()]) each.dispose();
        },
      };
    },
  };
};

const firstDelayMs = 500;
const longestDelayMs = 16_000;
