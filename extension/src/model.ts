/** The state shared by the views: the current configuration, the samples, and changes of either. */
import type { SampleRow, SamplesAnswer } from '@authgraph/language-server/protocol';
import { EventEmitter, type TextDocument, Uri, window, workspace } from 'vscode';
import { debounce } from './debounce.ts';
import { holdsConfiguration } from './known-documents.ts';
import type { ServerRequests } from './requests.ts';

export type Model = ReturnType<typeof createModel>;

export const createModel = (requests: ServerRequests) => {
  const emitter = new EventEmitter<void>();
  let configuration: TextDocument | undefined;
  let answer: SamplesAnswer = { samples: [], current: undefined };
  /** The configuration that the samples were requested for. */
  let sampledUri: string | undefined;

  const setConfiguration = (document: TextDocument): boolean => {
    if (document === configuration) return false;
    configuration = document;
    return true;
  };
  const setIfConfiguration = (document: TextDocument): boolean =>
    document !== configuration && holdsConfiguration(document) && setConfiguration(document);
  const configurationUri = (): string | undefined => configuration?.uri.toString();
  /** Requests the samples again without waiting for a notification. */
  const readSamples = async (): Promise<void> => {
    const uri = configurationUri();
    const samples = await requests.samples(uri === undefined ? {} : { uri });
    // Another configuration may have become current, whose samples are requested, too.
    if (uri === configurationUri()) {
      sampledUri = uri;
      answer = samples;
    }
    emitter.fire();
  };
  const notifyChanged = debounce(() => {
    if (sampledUri === configurationUri()) emitter.fire();
    else void readSamples();
  }, 80);
  const subscriptions = [
    window.onDidChangeActiveTextEditor((editor) => {
      if (editor !== undefined && setIfConfiguration(editor.document)) notifyChanged();
    }),
    // VS Code signals a change of the dirty state with an event without content changes.
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const isSet = contentChanges.length > 0 && setIfConfiguration(document);
      if (isSet || document === configuration) notifyChanged();
    }),
    workspace.onDidSaveTextDocument((document) => {
      if (document === configuration) notifyChanged();
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
    /** The configuration that previews use; it stays while other files are edited. */
    get configuration(): TextDocument | undefined {
      return configuration;
    },
    /** The samples that count for the configuration: in general those of its workspace folder. */
    get samples(): readonly SampleRow[] {
      return answer.samples;
    },
    get current(): SampleRow | undefined {
      return answer.samples.find(({ id }) => id === answer.current);
    },
    /** Why there are no samples. */
    get problem(): string | undefined {
      return answer.problem;
    },
    /** Fires after text, samples or settings changed. */
    onDidChange: emitter.event,
    /** Makes a document the current configuration; opens it if necessary. */
    async switchTo(uri: unknown): Promise<void> {
      if (typeof uri !== 'string' && !(uri instanceof Uri)) return;
      const document = await workspace.openTextDocument(
        typeof uri === 'string' ? Uri.parse(uri, true) : uri,
      );
      // The server decided that the document is a configuration when it created the lens.
      if (setConfiguration(document)) await readSamples();
    },
    readSamples,
    /** Reports changes that no document event signals: settings, a restart. */
    notifyChanged: (): void => notifyChanged(),
    dispose(): void {
      notifyChanged.dispose();
      emitter.dispose();
      for (const each of subscriptions) each.dispose();
    },
  };
};
