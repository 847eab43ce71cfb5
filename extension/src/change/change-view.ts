/**
 * The Access Changes view: compares the edited configuration with the saved file, with the last
 * commit, or with a branch or tag.
 */
import type { ChangeParams, ChangeReport } from '@authgraph/language-server/protocol';
import {
  CancellationTokenSource,
  commands,
  Disposable,
  type EventEmitter,
  ProgressLocation,
  type TextDocument,
  type TreeItem,
  type TreeView,
  type Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import { debounce } from '../debounce.ts';
import { copyCommand, showInfo } from '../messages.ts';
import type { Model } from '../model.ts';
import { pick } from '../quick-pick.ts';
import type { ServerRequests } from '../requests.ts';
import type { Results } from '../results.ts';
import { resultName } from '../whoami/whoami-text.ts';
import { badgeOf, lossesOf, type ShownChanges } from './change-summary.ts';
import { type ChangeNode, changeChildren, changeItem, changeText } from './change-tree.ts';
import { type GitFile, gitFile } from './git-text.ts';
import type { LossMarks } from './loss-marks.ts';
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
      /** The version in Git; absent for the text before the last save. */
      readonly git?: GitVersion;
    };

interface GitVersion {
  readonly revision: string;
  /** The name of the revision, such as `main (1234567)`. */
  readonly name: string;
  /** The path of the file in the repository. */
  readonly path: string;
}

export const createChangeView = (parts: {
  readonly model: Pick<Model, 'configuration' | 'onDidChange'>;
  readonly requests: ServerRequests;
  readonly results: Results;
  readonly isBrowser: boolean;
  readonly changed: Pick<EventEmitter<void>, 'fire'>;
  readonly tree: Pick<TreeView<unknown>, 'badge'>;
  readonly marks: LossMarks;
}) => {
  const { model, requests, results, isBrowser, changed, tree, marks } = parts;
  let baseline: Baseline = { kind: 'saved' };
  /** Follows commits while the view compares with the last one. */
  let commits: Disposable | undefined;
  /** The comparison that runs or is shown. */
  let latest: Running | undefined;
  let shown: ShownChanges = nothing;
  let isTextOpen = false;
  let textVersion = 0;

  const effectiveBaseline = (): Baseline => {
    if (baseline.kind === 'saved') return baseline;
    const { document, text, git } = baseline;
    // Another document is current now, and its baseline is unknown.
    const isOther = document !== model.configuration;
    // A comparison with the last save ends when the save is undone or the document is edited again.
    const isOver = git === undefined && (document.isDirty || document.getText() === text);
    return isOther || isOver ? { kind: 'saved' } : baseline;
  };

  const params = (): ChangeParams => {
    const uri = model.configuration?.uri.toString() ?? '';
    const compared = effectiveBaseline();
    if (compared.kind === 'saved') return { uri };
    const { text, git, samples } = compared;
    return {
      uri,
      against: text,
      ...(git === undefined ? {} : { revision: git.revision }),
      ...(samples === undefined ? {} : { samples }),
    };
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
  const compare = async ({ token }: CancellationTokenSource): Promise<ShownChanges> => {
    const compared = params();
    const what = title();
    const report = await requests.change(compared, token);
    if (what !== undefined) {
      const access = await requests.accessDifference(compared, token);
      return { ...report, title: what, access };
    }
    const unchanged: ChangeReport = { rows: [], summary: 'no unsaved changes' };
    const { loadFailures } = report;
    return loadFailures === undefined ? unchanged : { ...unchanged, loadFailures };
  };
  const start = (): Running => {
    const source = new CancellationTokenSource();
    return { changes: compare(source), cancel: () => source.cancel() };
  };
  /** Compares once after each change, for the view, the badge and the marks. */
  const current = async (): Promise<ShownChanges> => {
    for (;;) {
      latest ??= start();
      const running: Running = latest;
      const changes = await running.changes;
      if (running === latest) return changes;
    }
  };
  /** Whether a hidden view summarizes its comparison; one with the last save has a warning instead. */
  const isSummarized = (): boolean => {
    const compared = effectiveBaseline();
    const isSave = compared.kind === 'text' && compared.git === undefined;
    return !isSave && title() !== undefined;
  };
  /** Shows what an unsaved edit, or the difference to a revision, changes while the view is hidden. */
  const summarize = async (): Promise<void> => {
    const version = model.configuration?.version;
    const latestChanges = isSummarized() ? await current() : nothing;
    // The text may be saved in the meantime.
    const changes = isSummarized() ? latestChanges : nothing;
    // A text that changed in the meantime is compared again.
    if (version !== model.configuration?.version) return;
    tree.badge = badgeOf(changes);
    marks.show(lossesOf(changes), changes.title ?? '');
  };
  const settle = debounce(() => void summarize(), settleMs);
  /** Only the result of the latest of several concurrent requests is shown. */
  const updateText = async (): Promise<Uri | undefined> => {
    textVersion += 1;
    const number = textVersion;
    const text = changeText(await current());
    return number === textVersion ? results.put(textName, text) : undefined;
  };
  const refresh = (): void => {
    latest?.cancel();
    latest = undefined;
    changed.fire();
    settle();
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

  /** Compares with a text of a Git revision from now on. */
  const compareWith = async (compared: Baseline): Promise<void> => {
    commits?.dispose();
    baseline = compared;
    await reveal();
  };
  /** Returns the configuration and its file in Git; shows why there is none. */
  const versionedFile = async () => {
    const document = model.configuration;
    if (document === undefined) {
      const { problem } = await requests.change({ uri: '' });
      return showInfo(problem ?? '');
    }
    const file = await gitFile(document.uri, isBrowser);
    return typeof file === 'string' ? showInfo(file) : { document, file };
  };
  /** Returns the text at a commit; shows why there is none. */
  const textAt = async (
    file: GitFile,
    { commit, absent }: { readonly commit: string; readonly absent: string },
  ): Promise<string | undefined> => {
    const committed = await file.textAt(commit);
    return 'text' in committed ? committed.text : showInfo(committed.problem ?? absent);
  };

  const subscriptions = Disposable.from(
    settle,
    model.onDidChange(refresh),
    workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.path === `/${textName}`) isTextOpen = false;
    }),
  );
  return {
    async getChildren(node?: unknown): Promise<readonly ChangeNode[]> {
      const parent = isChangeNode(node) ? node : undefined;
      if (parent === undefined) shown = await current();
      return changeChildren(parent, shown);
    },
    getTreeItem: (node: unknown): TreeItem =>
      changeItem(isChangeNode(node) ? node : { kind: 'message', text: '' }),
    async preview(): Promise<void> {
      baseline = { kind: 'saved' };
      await reveal();
    },
    async compareWithHead(): Promise<void> {
      const versioned = await versionedFile();
      if (versioned === undefined) return;
      const { document, file } = versioned;
      const absent = 'the file is not in the last commit';
      const text = await textAt(file, { commit: 'HEAD', absent });
      if (text === undefined) return;
      const since = (text: string): Baseline => ({
        kind: 'text',
        document,
        text,
        title: 'Since the last commit',
        git: { revision: 'HEAD', name: 'HEAD', path: file.path },
      });
      let compared = since(text);
      const revealed = compareWith(compared);
      commits = file.followHead((text) => {
        if (baseline !== compared) return;
        compared = text === undefined ? { kind: 'saved' } : since(text);
        baseline = compared;
        refresh();
      });
      await revealed;
    },
    /** Shows the branches and tags, and compares with the selected one. */
    async compareWithBranch(): Promise<void> {
      const versioned = await versionedFile();
      if (versioned === undefined) return;
      const { document, file } = versioned;
      const rows = file.refs().then((refs) =>
        refs.map((ref) => ({
          label: ref.name,
          description: `${ref.kind} · ${ref.commit.slice(0, shortHash)}`,
          ref,
        })),
      );
      const picked = await pick(rows, {
        title: 'Compare Access with Branch',
        placeHolder: 'Select the branch or tag to compare the configuration with',
      });
      if (picked === undefined) return;
      const { name, commit } = picked.ref;
      const text = await textAt(file, { commit, absent: `${name} does not have this file` });
      if (text === undefined) return;
      // The commit is named because the branch may move on.
      const git = {
        revision: commit,
        name: `${name} (${commit.slice(0, shortHash)})`,
        path: file.path,
      };
      await compareWith({ kind: 'text', document, text, title: `Since ${git.name}`, git });
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
    /** Opens the comparison as an unsaved Markdown document, for a pull request. */
    async report(): Promise<void> {
      const { uri, against, samples } = params();
      const compared = effectiveBaseline();
      const git = compared.kind === 'text' ? compared.git : undefined;
      const after = git?.path ?? nameOf(model.configuration?.uri);
      const version = against === undefined ? 'saved' : 'before the last save';
      const answer = await window.withProgress(
        {
          location: ProgressLocation.Notification,
          title: 'AuthGraph: comparing access',
          cancellable: true,
        },
        async (_, token) => {
          const report = await requests.changeMarkdown(
            {
              uri,
              ...(against === undefined ? {} : { against }),
              ...(samples === undefined ? {} : { samples }),
              before: git === undefined ? `${after} (${version})` : `${git.name}:${after}`,
              after,
            },
            token,
          );
          return token.isCancellationRequested ? undefined : report;
        },
      );
      if (answer === undefined) return;
      if ('problem' in answer) return showInfo(answer.problem);
      const document = await workspace.openTextDocument({
        language: 'markdown',
        content: answer.text,
      });
      await window.showTextDocument(document);
    },
    async copyCommand(): Promise<void> {
      const {
        commandLine,
        problem = isBrowser
          ? "not available in a browser: a shell can't read its files"
          : 'the command needs the configuration and samples as files',
      } = await requests.change(params());
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
      latest?.cancel();
      commits?.dispose();
      subscriptions.dispose();
    },
  };
};

const nothing: ShownChanges = { rows: [], summary: '' };

/** A comparison that can be canceled. */
interface Running {
  readonly changes: Promise<ShownChanges>;
  cancel(): void;
}

/** The badge and the marks follow once the text did not change for this time. */
const settleMs = 400;

/** Characters of a commit's hash that are shown. */
const shortHash = 7;

const textName = 'access changes.txt';

/** Returns the path in the workspace; only the file's name outside of it, because paths can be private. */
const nameOf = (uri: Uri | undefined): string => {
  if (uri === undefined) return '';
  return workspace.getWorkspaceFolder(uri) === undefined
    ? uri.path.slice(uri.path.lastIndexOf('/') + 1)
    : workspace.asRelativePath(uri);
};

const isChangeNode = (value: unknown): value is ChangeNode =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
