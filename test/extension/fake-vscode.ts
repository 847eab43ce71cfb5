/** A fake of the VS Code API that the tests need, recording what was shown and done. */
import { URI, Utils } from 'vscode-uri';

interface ShownMessage {
  readonly kind: 'information' | 'warning' | 'error';
  readonly text: string;
  /** Present for modal dialogs. */
  readonly detail?: string;
  readonly actions: readonly string[];
}

/** The pressed button, now or later. */
type Answer = string | undefined | Promise<string>;

/** An open document. */
export interface FakeDocument {
  readonly uri: URI;
  readonly languageId: string;
  version: number;
  text: string;
  isDirty: boolean;
  isClosed: boolean;
  readonly isUntitled: boolean;
  getText(): string;
  positionAt(offset: number): number;
  save(): Promise<boolean>;
}

/** An editor of a document, and the decorations that it shows. */
export interface FakeEditor {
  readonly document: FakeDocument;
  decorations: readonly object[];
  setDecorations(type: object, decorations: readonly object[]): void;
}

const state: {
  readonly messages: ShownMessage[];
  readonly answers: Answer[];
  readonly rows: object[];
  readonly picks: (number | undefined)[];
  readonly ran: (readonly unknown[])[];
  readonly documents: FakeDocument[];
  readonly items: { readonly text: string }[];
  readonly places: URI[];
  readonly typed: string[];
  readonly clipboard: string[];
  readonly panels: FakePanel[];
  readonly visible: FakeEditor[];
  saveDelay: Promise<void> | undefined;
} = {
  messages: [],
  answers: [],
  rows: [],
  picks: [],
  ran: [],
  documents: [],
  items: [],
  places: [],
  typed: [],
  clipboard: [],
  panels: [],
  visible: [],
  saveDelay: undefined,
};

const settings = new Map<string, unknown>();

/** Calls listeners synchronously. */
export class EventEmitter<Event> {
  readonly #listeners = new Set<(event: Event) => unknown>();
  readonly event = (listener: (event: Event) => unknown) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire(event: Event): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

/** A webview panel, and the messages posted to it. */
export class FakePanel {
  readonly #messages = new EventEmitter<unknown>();
  readonly #gone = new EventEmitter<void>();
  title = '';
  readonly posted: unknown[] = [];
  readonly visible = true;
  readonly active = true;
  readonly webview = {
    html: '',
    cspSource: '',
    asWebviewUri: (uri: URI) => uri,
    onDidReceiveMessage: this.#messages.event,
    postMessage: async (message: unknown) => void this.posted.push(message),
  };
  readonly onDidDispose = this.#gone.event;
  readonly onDidChangeViewState = new EventEmitter<void>().event;
  reveal(): void {}
  /** Sends a message from the page. */
  sends(message: unknown): void {
    this.#messages.fire(message);
  }
  dispose(): void {
    this.#gone.fire();
  }
}

interface Edited {
  readonly document: FakeDocument;
  readonly contentChanges: readonly object[];
}

const editorOf = (document: FakeDocument): FakeEditor => {
  const shown: FakeEditor = {
    document,
    decorations: [],
    setDecorations: (_, decorations) => {
      shown.decorations = decorations;
    },
  };
  return shown;
};

const saved = new EventEmitter<FakeDocument>();
const edited = new EventEmitter<Edited>();
const opened = new EventEmitter<FakeDocument>();
const closed = new EventEmitter<FakeDocument>();
const fileCreated = new EventEmitter<URI>();
const fileDeleted = new EventEmitter<URI>();
const configurationChanged = new EventEmitter<{ affectsConfiguration(): boolean }>();
const foldersChanged = new EventEmitter<void>();
const trustGranted = new EventEmitter<void>();
const visibleChanged = new EventEmitter<void>();

/** Controls the fake: the messages shown and their answers; opening, typing and saving. */
export const editor = {
  get messages(): readonly ShownMessage[] {
    return state.messages;
  },
  /** The rows of all pickers. */
  get rows(): readonly object[] {
    return state.rows;
  },
  /** The status bar items. */
  get items(): readonly { readonly text: string }[] {
    return state.items;
  },
  get panels(): readonly FakePanel[] {
    return state.panels;
  },
  get visible(): readonly FakeEditor[] {
    return state.visible;
  },
  /** Executed VS Code commands with their arguments. */
  get ran(): readonly (readonly unknown[])[] {
    return state.ran;
  },
  /** Presses a button of the next message; later messages are dismissed. */
  answers: (...actions: readonly Answer[]): void => {
    state.answers.push(...actions);
  },
  /** Picks a row of the next picker. */
  picks: (...indexes: readonly (number | undefined)[]): void => {
    state.picks.push(...indexes);
  },
  copies: (text: string): void => {
    state.clipboard.splice(0, 1, text);
  },
  /** Sets the result of the next input box. */
  types: (text: string): void => {
    state.typed.push(text);
  },
  set: (setting: string, value: unknown): void => {
    settings.set(setting, value);
  },
  /** Sets the result of the next save dialog. */
  savesAt: (path: string): void => {
    state.places.push(URI.file(path));
  },
  open(path: string, text: string): FakeDocument {
    const uri = URI.file(path);
    const document: FakeDocument = {
      uri,
      languageId: path.endsWith('.json') ? 'json' : 'yaml',
      version: 1,
      text,
      isDirty: false,
      isClosed: false,
      isUntitled: false,
      getText: () => document.text,
      positionAt: (offset) => offset,
      save: async () => {
        document.isDirty = false;
        await state.saveDelay;
        saved.fire(document);
        return true;
      },
    };
    state.documents.push(document);
    opened.fire(document);
    return document;
  },
  close(document: FakeDocument): void {
    document.isClosed = true;
    closed.fire(document);
  },
  type(document: FakeDocument, text: string): void {
    Object.assign(document, { text, isDirty: true, version: document.version + 1 });
    edited.fire({ document, contentChanges: [{}] });
  },
  /** Delays the save event; the document counts as saved before it fires. */
  delaysSaveEvent: (delay: Promise<void>): void => {
    state.saveDelay = delay;
  },
  /** Simulates another program writing the file and the editor reloading it. */
  reload(document: FakeDocument, text: string): void {
    Object.assign(document, { text, version: document.version + 1 });
    edited.fire({ document, contentChanges: [{}] });
  },
  /** Shows documents in editors. */
  shows: (...documents: readonly FakeDocument[]): void => {
    state.visible.splice(0, state.visible.length, ...documents.map(editorOf));
    visibleChanged.fire();
  },
  changeSetting: (setting: string, value: unknown): void => {
    settings.set(setting, value);
    configurationChanged.fire({ affectsConfiguration: () => true });
  },
  changeFolders: (): void => foldersChanged.fire(),
  grantTrust: (): void => trustGranted.fire(),
  /** Reports a file to the watchers. */
  createsFile: (path: string): void => fileCreated.fire(URI.file(path)),
  deletesFile: (path: string): void => fileDeleted.fire(URI.file(path)),
  reset: (): void => {
    const { saveDelay: _, ...lists } = state;
    for (const list of Object.values(lists)) list.length = 0;
    state.saveDelay = undefined;
    settings.clear();
  },
};

const show =
  (kind: ShownMessage['kind']) =>
  async (text: string, ...rest: readonly unknown[]): Promise<string | undefined> => {
    const [first] = rest;
    const detail =
      typeof first === 'object' && first !== null && 'detail' in first ? first.detail : undefined;
    const actions = rest.filter((each) => typeof each === 'string');
    state.messages.push({ kind, text, actions, ...(typeof detail === 'string' ? { detail } : {}) });
    return state.answers.shift();
  };

const showQuickPick = async (
  items: readonly object[] | Promise<readonly object[]>,
  options: { readonly canPickMany?: boolean },
): Promise<unknown> => {
  const rows = await items;
  state.rows.push(...rows);
  const index = state.picks.shift();
  const picked = index === undefined ? undefined : rows[index];
  return options.canPickMany === true && picked !== undefined ? [picked] : picked;
};

export const window = {
  get visibleTextEditors(): readonly FakeEditor[] {
    return state.visible;
  },
  createTextEditorDecorationType: () => ({ dispose: () => undefined }),
  activeTextEditor: undefined,
  showInformationMessage: show('information'),
  showWarningMessage: show('warning'),
  showErrorMessage: show('error'),
  setStatusBarMessage: () => undefined,
  showQuickPick,
  createStatusBarItem: (id: string) => {
    const item = {
      id,
      text: '',
      show: () => undefined,
      hide: () => undefined,
      dispose: () => undefined,
    };
    state.items.push(item);
    return item;
  },
  showTextDocument: async (shown: FakeDocument | URI) => ({
    document: 'text' in shown ? shown : await workspace.openTextDocument(shown),
  }),
  createWebviewPanel: () => {
    const panel = new FakePanel();
    state.panels.push(panel);
    return panel;
  },
  showInputBox: async () => state.typed.shift(),
  showSaveDialog: async () => state.places.shift(),
  onDidChangeVisibleTextEditors: visibleChanged.event,
  onDidChangeTextEditorSelection: new EventEmitter<void>().event,
  onDidChangeActiveTextEditor: new EventEmitter<void>().event,
};

export const workspace = {
  get textDocuments(): readonly FakeDocument[] {
    return state.documents;
  },
  onDidOpenTextDocument: opened.event,
  onDidCloseTextDocument: closed.event,
  onDidChangeTextDocument: edited.event,
  onDidSaveTextDocument: saved.event,
  onDidChangeConfiguration: configurationChanged.event,
  onDidChangeWorkspaceFolders: foldersChanged.event,
  onDidGrantWorkspaceTrust: trustGranted.event,
  findFiles: async (): Promise<readonly URI[]> => [],
  createFileSystemWatcher: () => ({
    onDidCreate: fileCreated.event,
    onDidChange: new EventEmitter<URI>().event,
    onDidDelete: fileDeleted.event,
    dispose: () => undefined,
  }),
  getWorkspaceFolder: ({ path }: URI) =>
    workspace.workspaceFolders.find(({ uri }) => path.startsWith(`${uri.path}/`)),
  getConfiguration: () => ({
    get: (name: string, otherwise?: unknown) => settings.get(name) ?? otherwise,
  }),
  asRelativePath: (uri: URI) => uri.path.slice(uri.path.lastIndexOf('/') + 1),
  workspaceFolders: [{ uri: URI.file('/w') }],
  fs: {
    stat: async (uri: URI) => workspace.openTextDocument(uri),
    writeFile: async (uri: URI, bytes: Uint8Array) => {
      editor.open(uri.path, new TextDecoder().decode(bytes));
    },
  },
  openTextDocument: async (uri: URI | { readonly content: string }) => {
    if ('content' in uri) return editor.open('/Untitled-1', uri.content);
    const found = state.documents.find((document) => document.uri.toString() === uri.toString());
    if (found === undefined) throw new Error(`there is no ${uri.path}`);
    return found;
  },
  applyEdit: async ({ edits }: WorkspaceEdit) => {
    for (const { uri, text } of edits) editor.type(await workspace.openTextDocument(uri), text);
    return true;
  },
};

/** Replaces whole documents. */
export class WorkspaceEdit {
  readonly edits: { readonly uri: URI; readonly text: string }[] = [];
  replace(uri: URI, _: Range, text: string): void {
    this.edits.push({ uri, text });
  }
}

export class Range {
  readonly start: number;
  readonly end: number;
  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
  }
}

export const Disposable = {
  from: (...all: readonly { dispose(): unknown }[]) => ({
    dispose: () => {
      for (const each of all) each.dispose();
    },
  }),
};

export const Uri = Object.assign(URI, { joinPath: Utils.joinPath });

export const commands = {
  executeCommand: async (...ran: readonly unknown[]) => {
    state.ran.push(ran);
  },
};

export class CancellationTokenSource {
  readonly token = {};
  cancel(): void {}
}

/** Shows code blocks as their text. */
export class MarkdownString {
  value = '';
  appendCodeblock(code: string): this {
    this.value += code;
    return this;
  }
}

export class RelativePattern {}
export class ThemeIcon {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}
export class ThemeColor {}
export class TreeItem {
  readonly label: string;
  readonly collapsibleState: number;
  constructor(label: string, collapsibleState = 0) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };

export const ViewColumn = { Beside: -2, Active: -1 };

export const OverviewRulerLane = { Left: 1 };

export const StatusBarAlignment = { Left: 1 };

export const languages = {
  /** Patterns match a file name in any folder. */
  match: ({ pattern }: { readonly pattern: string }, { uri }: FakeDocument) =>
    uri.path.endsWith(pattern.replace('**', '')) ? 10 : 0,
  onDidChangeDiagnostics: new EventEmitter<void>().event,
};

export const extensions = { getExtension: () => undefined };

export const env = {
  clipboard: {
    writeText: async (text: string) => editor.copies(text),
    readText: async () => state.clipboard[0] ?? '',
  },
};
