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
  const running = new Set<TextDocument>();
  const provideCodeLenses: NonNullable<CodeLensMiddleware['provideCodeLenses']> = async (
    document,
    token,
    next,
  ) => {
    const basis = { version: document.version, refreshes };
    running.add(document);
    try {
      const lenses = await next(document, token);
      if (!token.isCancellationRequested) fetched.set(document, basis);
      return lenses;
    } finally {
      running.delete(document);
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
        followProviders();
        const outdated = providers().filter(({ document }) => isOutdated(document));
        if (outdated.length === 0) return;
        const stopped = outdated.filter(({ document }) => !running.has(document));
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
        timer = setTimeout(() => repeat(delay), delay);
      };
      const check = (): void => {
        followProviders();
        schedule(firstDelayMs);
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
