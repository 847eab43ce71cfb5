/** The preview of a change: the edit beside the saved file, or beside the last commit. */
import type { ChangeReport } from '@authgraph/language-server/protocol';
import {
  commands,
  type Disposable,
  type EventEmitter,
  env,
  type TextDocument,
  type TreeItem,
  window,
} from 'vscode';
import type { Asking } from '../asking.ts';
import type { Model } from '../model.ts';
import { fileNameOf, type Results } from '../results.ts';
import { type ChangeNode, changeChildren, changeItem } from './change-tree.ts';
import { textAtHead } from './head-text.ts';

export interface ChangeView extends Disposable {
  getChildren(node?: unknown): Promise<readonly ChangeNode[]>;
  getTreeItem(node: unknown): TreeItem;
  preview(): Promise<void>;
  compareWithHead(): Promise<void>;
  compareWith(other: {
    readonly document: TextDocument;
    readonly text: string;
    readonly title: string;
    /** What Git calls the text. */
    readonly revision?: string;
  }): Promise<void>;
  copyCommand(): Promise<void>;
  showDifference(node: unknown): Promise<void>;
}

type Against =
  | { readonly kind: 'saved' }
  | {
      readonly kind: 'text';
      readonly document: TextDocument;
      readonly text: string;
      /** `Since the last commit`. */
      readonly title: string;
      readonly revision?: string;
    };

export const createChangeView = (parts: {
  readonly model: Model;
  readonly asking: Asking;
  readonly results: Results;
  readonly changed: Pick<EventEmitter<void>, 'fire'>;
}): ChangeView => {
  const { model, asking, results, changed } = parts;
  let against: Against = { kind: 'saved' };
  let report: ChangeReport = { rows: [], summary: '' };

  /** Another file is looked at now: its other text is not known. */
  const effective = (): Against =>
    against.kind === 'text' && against.document !== model.configuration
      ? { kind: 'saved' }
      : against;

  const ask = async (): Promise<ChangeReport> => {
    const uri = model.configuration?.uri.toString() ?? '';
    const compared = effective();
    if (compared.kind === 'saved') return asking.change({ uri });
    const { text, revision } = compared;
    return asking.change({ uri, against: text, ...(revision === undefined ? {} : { revision }) });
  };
  const reveal = async (): Promise<void> => {
    changed.fire();
    await commands.executeCommand('authgraph.change.focus');
  };

  const compareWith: ChangeView['compareWith'] = async (other) => {
    against = { kind: 'text', ...other };
    await reveal();
  };

  const followed = model.onDidChange(() => changed.fire());
  return {
    async getChildren(node) {
      const parent = isChangeNode(node) ? node : undefined;
      if (parent === undefined) report = await ask();
      const compared = effective();
      const title = compared.kind === 'text' ? compared.title : 'Unsaved edit';
      return changeChildren(parent, report, title);
    },
    getTreeItem: (node) => changeItem(isChangeNode(node) ? node : { kind: 'said', text: '' }),
    async preview() {
      against = { kind: 'saved' };
      await reveal();
    },
    async compareWithHead() {
      const document = model.configuration;
      if (document === undefined) {
        const { problem } = await ask();
        if (problem !== undefined) void window.showInformationMessage(`AuthGraph: ${problem}.`);
        return;
      }
      const head = await textAtHead(document.uri);
      if (head.kind === 'none') {
        void window.showInformationMessage(`AuthGraph: ${head.problem}.`);
        return;
      }
      const title = 'Since the last commit';
      await compareWith({ document, text: head.text, title, revision: 'HEAD' });
    },
    compareWith,
    async copyCommand() {
      const {
        commandLine,
        problem = 'the command needs a configuration file, and samples that are files',
      } = await ask();
      if (commandLine === undefined) {
        void window.showInformationMessage(`AuthGraph: ${problem}.`);
        return;
      }
      await env.clipboard.writeText(commandLine);
      void window.setStatusBarMessage('AuthGraph: the command is on the clipboard', 4000);
    },
    async showDifference(node) {
      if (!isChangeNode(node) || node.kind !== 'row') return;
      const { sample, beforeYaml, afterYaml } = node.row;
      const name = fileNameOf(sample.name);
      await commands.executeCommand(
        'vscode.diff',
        results.put(`before/whoami ${name}.yaml`, beforeYaml),
        results.put(`after/whoami ${name}.yaml`, afterYaml),
        `${sample.name}: before ↔ after`,
        { preview: true },
      );
    },
    dispose: () => followed.dispose(),
  };
};

const isChangeNode = (value: unknown): value is ChangeNode =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
