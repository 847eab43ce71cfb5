/** Runs tests again when a file that decides them is saved. */
import { type CancellationToken, type TestItem, type TextDocument, workspace } from 'vscode';
import { debounce } from '../debounce.ts';
import { languages } from '../recognize-document.ts';

/** Milliseconds after a save; saving all files is one change. */
const delayMs = 200;

export const createInputFiles = () => {
  const inputsByFile = new Map<string, ReadonlySet<string>>();
  return {
    set: (file: TestItem, inputs: readonly string[]): void => {
      inputsByFile.set(file.id, new Set(inputs));
    },
    /** Returns whether saved files may change the results; those of a file that has not run are unknown. */
    isAffected: (file: TestItem, saved: ReadonlySet<string>): boolean => {
      const inputs = inputsByFile.get(file.id);
      return (
        saved.has(file.id) || inputs === undefined || [...saved].some((uri) => inputs.has(uri))
      );
    },
  };
};

/** Calls `run` with the URIs of saved files, one call after the other, until the token is canceled. */
export const runOnSave = (
  token: CancellationToken,
  run: (saved: ReadonlySet<string>) => Promise<unknown>,
): void => {
  let saved = new Set<string>();
  let running: Promise<unknown> = Promise.resolve();
  const runSaved = debounce(() => {
    const batch = saved;
    saved = new Set();
    // A run writes its errors to its output.
    running = running
      .then(() => (token.isCancellationRequested ? undefined : run(batch)))
      .catch(() => undefined);
  }, delayMs);
  const subscription = workspace.onDidSaveTextDocument(({ uri, languageId }: TextDocument) => {
    if (!languages.includes(languageId)) return;
    saved.add(uri.toString());
    runSaved();
  });
  token.onCancellationRequested(() => {
    subscription.dispose();
    runSaved.dispose();
  });
};
