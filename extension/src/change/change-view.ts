/**
 * The Access Changes view: compares the edited configuration with the saved file or with the last
 * commit.
 */
import type { ChangeReport } from '@authgraph/language-server/protocol';
import {
  commands,
  Disposable,
  type EventEmitter,
  type TextDocument,
  type TreeItem,
  type Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import { copyCommand, showInfo } from '../messages.ts';
import type { Model } from '../model.ts';
import type { ServerRequests } from '../requests.ts';
import type { Results } from '../results.ts';
import { resultName } from '../whoami/whoami-text.ts';
import { type ChangeNode, changeChildren, changeItem, changeText } from './change-tree.ts';
import { textAtHead } from './head-text.ts';
import type { SettledSave } from './settled-saves.ts';

export type ChangeView = ReturnType<typeof createChangeView>;

type Baseline =
  | { readonly kind: 'saved' }
  | {
      readonly kind: 'text';
      readonly document: TextDocument;
      readonly text: string;
      /** A title such as `Since the last commit`. */
      readonly title: string;
      /** The samples that differed, if the text is the one before the last save. */
      readonly samples?: SettledSave['samples'];
      /** The Git revision of the text; absent for the text before the last save. */
      readonly revision?: string;
    };

export const createChangeView = (parts: {
  readonly model: Pick<Model, 'configuration' | 'onDidChange'>;
  readonly requests: ServerRequests;
  readonly results: Results;
  readonly isBrowser: boolean;
  readonly changed: Pick<EventEmitter<void>, 'fire'>;
}) => {
  const { model, requests, results, isBrowser, changed } = parts;
  let baseline: Baseline = { kind: 'saved' };
  /** Follows commits while the view compares with the last one. */
  let commits: Disposable | undefined;
  let report: ChangeReport = { rows: [], summary: '' };
  let isTextOpen = false;
  let textVersion = 0;

  const effectiveBaseline = (): Baseline => {
    if (baseline.kind === 'saved') return baseline;
    const { document, text, revision } = baseline;
    // Another document is current now, and its baseline is unknown.
    const isOther = document !== model.configuration;
    // A comparison with the last save ends when the save is undone or the document is edited again.
    const isOver = revision === undefined && (document.isDirty || document.getText() === text);
    return isOther || isOver ? { kind: 'saved' } : baseline;
  };

  const request = async (): Promise<ChangeReport> => {
    const uri = model.configuration?.uri.toString() ?? '';
    const compared = effectiveBaseline();
    if (compared.kind === 'saved') return requests.change({ uri });
    const { text, revision, samples } = compared;
    return requests.change({
      uri,
      against: text,
      ...(revision === undefined ? {} : { revision }),
      ...(samples === undefined ? {} : { samples }),
    });
  };
  /**
   * Returns a description of the comparison; `undefined` if the saved file would be compared with
   * itself.
   */
  const title = (): string | undefined => {
    const compared = effectiveBaseline();
    if (compared.kind === 'text') return compared.title;
    const { configuration } = model;
    const isSaved = configuration?.isDirty === false && !configuration.isUntitled;
    return isSaved ? undefined : 'Unsaved changes';
  };
  const current = async (): Promise<ChangeReport> => {
    const report = await request();
    if (title() !== undefined) return report;
    const unchanged: ChangeReport = { rows: [], summary: 'no unsaved changes' };
    const { loadFailures } = report;
    return loadFailures === undefined ? unchanged : { ...unchanged, loadFailures };
  };
  /** Only the result of the latest of several concurrent requests is shown. */
  const updateText = async (): Promise<Uri | undefined> => {
    textVersion += 1;
    const number = textVersion;
    const text = changeText(await current(), title());
    return number === textVersion ? results.put(textName, text) : undefined;
  };
  const refresh = (): void => {
    changed.fire();
    if (isTextOpen) void updateText();
  };
  const reveal = async (): Promise<void> => {
    refresh();
    await commands.executeCommand('authgraph.change.focus');
  };

  /** Compares with the text before a save from now on, without revealing the view. */
  const followSave = (
    document: TextDocument,
    { text, samples }: { readonly text: string; readonly samples: SettledSave['samples'] },
  ): void => {
    baseline = { kind: 'text', document, text, samples, title: 'Last save' };
    refresh();
  };

  const subscriptions = Disposable.from(
    model.onDidChange(refresh),
    workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.path === `/${textName}`) isTextOpen = false;
    }),
  );
  return {
    async getChildren(node?: unknown): Promise<readonly ChangeNode[]> {
      const parent = isChangeNode(node) ? node : undefined;
      if (parent === undefined) report = await current();
      return changeChildren(parent, report, title());
    },
    getTreeItem: (node: unknown): TreeItem =>
      changeItem(isChangeNode(node) ? node : { kind: 'message', text: '' }),
    async preview(): Promise<void> {
      baseline = { kind: 'saved' };
      await reveal();
    },
    async compareWithHead(): Promise<void> {
      const document = model.configuration;
      if (document === undefined) {
        const { problem } = await request();
        if (problem !== undefined) showInfo(problem);
        return;
      }
      const head = await textAtHead(document.uri, isBrowser);
      if (head.kind === 'none') return showInfo(head.problem);
      const title = 'Since the last commit';
      const since = (text: string): Baseline => ({
        kind: 'text',
        document,
        text,
        title,
        revision: 'HEAD',
      });
      let compared = since(head.text);
      baseline = compared;
      commits?.dispose();
      commits = head.follow((text) => {
        if (baseline !== compared) return;
        compared = text === undefined ? { kind: 'saved' } : since(text);
        baseline = compared;
        refresh();
      });
      await reveal();
    },
    followSave,
    async showSave(...save: Parameters<typeof followSave>): Promise<void> {
      followSave(...save);
      await reveal();
    },
    /** Opens the changes as text, which is updated with the view. */
    async showText(): Promise<void> {
      const uri = await updateText();
      if (uri === undefined) return;
      isTextOpen = true;
      await window.showTextDocument(uri, { preview: true, viewColumn: ViewColumn.Beside });
    },
    async copyCommand(): Promise<void> {
      const {
        commandLine,
        problem = isBrowser
          ? "not available in a browser: a shell can't read its files"
          : 'the command needs the configuration and samples as files',
      } = await request();
      if (commandLine === undefined) return showInfo(problem);
      await copyCommand(commandLine);
    },
    async showDifference(node: unknown): Promise<void> {
      if (!isChangeNode(node) || node.kind !== 'row') return;
      const { sample, configuration, beforeYaml, afterYaml } = node.row;
      const name = resultName({ sample, configuration });
      const { title } = configuration;
      const who = title === undefined ? sample.name : `${sample.name} · ${title}`;
      await commands.executeCommand(
        'vscode.diff',
        results.put(`before/${name}`, beforeYaml),
        results.put(`after/${name}`, afterYaml),
        `${who}: before ↔ after`,
        { preview: true },
      );
    },
    dispose(): void {
      commits?.dispose();
      subscriptions.dispose();
    },
  };
};

const textName = 'access changes.txt';

const isChangeNode = (value: unknown): value is ChangeNode =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
