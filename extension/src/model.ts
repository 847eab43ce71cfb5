/** The state shared by the views: the current configuration, the samples, and changes of either. */
import type { SampleRow, SamplesAnswer } from '@authgraph/language-server/protocol';
import {
  type Disposable,
  type Event,
  EventEmitter,
  type TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import { debounce } from './debounce.ts';
import { holdsConfiguration } from './known-documents.ts';
import type { ServerRequests } from './requests.ts';

export interface Model extends Disposable {
  /** The configuration that previews use; it stays while other files are edited. */
  readonly configuration: TextDocument | undefined;
  readonly samples: readonly SampleRow[];
  readonly chosen: SampleRow | undefined;
  /** Why there are no samples. */
  readonly problem: string | undefined;
  /** Fires after text, samples or settings changed. */
  readonly onDidChange: Event<void>;
  /** Makes a document the current configuration; opens it if necessary. */
  switchTo(uri: unknown): Promise<void>;
  /** Requests the samples again without waiting for a notification. */
  readSamples(): Promise<void>;
  /** Reports changes that no document event signals: settings, a restart. */
  notifyChanged(): void;
}

export const createModel = (requests: ServerRequests): Model => {
  const emitter = new EventEmitter<void>();
  let configuration: TextDocument | undefined;
  let answer: SamplesAnswer = { samples: [], chosen: undefined };
  const notifyChanged = debounce(() => emitter.fire(), 80);

  const setConfiguration = (document: TextDocument): boolean => {
    if (document === configuration) return false;
    configuration = document;
    return true;
  };
  const setIfConfiguration = (document: TextDocument): boolean =>
    document !== configuration && holdsConfiguration(document) && setConfiguration(document);
  const readSamples = async (): Promise<void> => {
    answer = await requests.samples();
    emitter.fire();
  };
  const subscriptions = [
    window.onDidChangeActiveTextEditor((editor) => {
      if (editor !== undefined && setIfConfiguration(editor.document)) notifyChanged();
    }),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0) return;
      if (setIfConfiguration(document) || document === configuration) notifyChanged();
    }),
    workspace.onDidCloseTextDocument((document) => {
      if (document !== configuration) return;
      configuration = workspace.textDocuments.find(
        (other) => other !== document && !other.isClosed && holdsConfiguration(other),
      );
      notifyChanged();
    }),
  ];
  const visible = window.visibleTextEditors.map(({ document }) => document);
  const active = window.activeTextEditor?.document;
  for (const document of [...workspace.textDocuments, ...visible]) setIfConfiguration(document);
  if (active !== undefined) setIfConfiguration(active);

  return {
    get configuration() {
      return configuration;
    },
    get samples() {
      return answer.samples;
    },
    get chosen() {
      return answer.samples.find(({ id }) => id === answer.chosen);
    },
    get problem() {
      return answer.problem;
    },
    onDidChange: emitter.event,
    async switchTo(uri) {
      if (typeof uri !== 'string' && !(uri instanceof Uri)) return;
      const document = await workspace.openTextDocument(
        typeof uri === 'string' ? Uri.parse(uri, true) : uri,
      );
      // The server decided that the document is a configuration when it created the lens.
      if (setConfiguration(document)) emitter.fire();
    },
    readSamples,
    notifyChanged,
    dispose() {
      notifyChanged.dispose();
      emitter.dispose();
      for (const each of subscriptions) each.dispose();
    },
  };
};
