/**
 * The graph panel: the authenticators of a file as a picture, with the path of the current sample
 * highlighted. The panel keeps its file while other files are edited.
 */
import type { GraphAnswer, GraphPicture } from '@authgraph/language-server/protocol';
import { type TextDocument, Uri, ViewColumn, type WebviewPanel, window, workspace } from 'vscode';
import { copyCommandFor } from '../copied-command.ts';
import type { SampleCommands } from '../identities/sample-commands.ts';
import { latestOnly } from '../latest-request.ts';
import { type GraphAction, type GraphMessage, readGraphAction } from '../messages/graph.ts';
import { showError, showInfo } from '../messages.ts';
import type { Model } from '../model.ts';
import { goTo, lineOf, smallestAtCursor } from '../place.ts';
import { pick } from '../quick-pick.ts';
import type { ServerRequests } from '../requests.ts';
import { fileNameOf, type Results } from '../results.ts';
import { pageHtml, webviewOptions } from '../webview-page.ts';

export const createGraphView = (parts: {
  readonly model: Model;
  readonly requests: ServerRequests;
  readonly samples: SampleCommands;
  readonly results: Results;
  readonly extension: Uri;
  /** Reports the file of the graph while its panel is the active editor. */
  readonly activeChanged: (document: TextDocument | undefined) => void;
}) => {
  const { model, requests, samples, results, extension, activeChanged } = parts;
  const requestGraph = latestOnly(requests.graph);
  /** The file that the panel was opened for, until it is closed. */
  let pinned: TextDocument | undefined;
  /** The width of the page in pixels. */
  let width: number | undefined;
  let panel: WebviewPanel | undefined;
  let requestCount = 0;
  /** The number of the request whose answer the page shows. */
  let shownRequest = 0;
  let answer: GraphAnswer = { pictures: [] };
  /** The last pictures, and the document and sample that they show. */
  let lastPictures: {
    readonly uri: string;
    readonly sample: string | undefined;
    readonly pictures: GraphAnswer['pictures'];
  } = { uri: '', sample: undefined, pictures: [] };
  let isTextOpen = false;
  let pendingPng: PendingPng | undefined;
  let pageIsReady = false;

  const shownDocument = (): TextDocument | undefined => pinned ?? model.configuration;
  const request = (): Promise<GraphAnswer> =>
    requestGraph({
      uri: shownDocument()?.uri.toString() ?? '',
      ...(width === undefined ? {} : { width }),
    });
  const post = async (message: GraphMessage): Promise<void> => {
    await panel?.webview.postMessage(message);
  };
  const refresh = async (): Promise<void> => {
    requestCount += 1;
    const requestNumber = requestCount;
    const response = await request();
    if (requestNumber !== requestCount) return;
    shownRequest = requestNumber;
    answer = response;
    if (isTextOpen) results.put(textName, textAlternative(answer));
    const configuration = shownDocument();
    const uri = configuration?.uri.toString() ?? '';
    const sample = answer.sample?.id;
    if (panel !== undefined) panel.title = titleOf(configuration);
    reportActive();
    if (answer.pictures.length > 0) lastPictures = { uri, sample, pictures: answer.pictures };
    const isStale = answer.problem !== undefined && answer.pictures.length === 0;
    const isSame = lastPictures.uri === uri && lastPictures.sample === sample;
    const pictures = isStale && isSame ? lastPictures.pictures : answer.pictures;
    await post({
      kind: 'state',
      number: shownRequest,
      file: configuration && workspace.asRelativePath(configuration.uri),
      sample: answer.sample?.name,
      problem: answer.problem,
      isStale: isStale && pictures.length > 0,
      pictures: pictures.map(({ title, svg, text, nodes }) => ({
        title,
        svg,
        text,
        // The lines of an older picture may have moved.
        nodes: nodes.map(({ place, ...node }) => ({
          ...node,
          line: isStale || place === undefined ? undefined : lineOf(place),
        })),
      })),
    });
    await postCursor();
  };
  const postCursor = (): Promise<void> =>
    post({ kind: 'cursor', number: shownRequest, ...nodeAtCursor(answer) });

  const reportActive = (): void =>
    activeChanged(panel?.active === true ? shownDocument() : undefined);

  const handleAction = async (action: GraphAction): Promise<void> => {
    switch (action.kind) {
      case 'ready':
        pageIsReady = true;
        await refresh();
        // A PNG may have been requested before the page was ready.
        return postPng();
      case 'width':
        if (action.width === width) return;
        width = action.width;
        return pageIsReady ? refresh() : undefined;
      case 'select':
        return selectSample();
      case 'text':
        return showText();
      case 'export':
        return exportPicture();
      case 'copy':
        return copyCommandOfPicture();
      case 'png':
        return pendingPng?.end(action.bytes);
      case 'goTo': {
        const nodes =
          action.number === shownRequest ? answer.pictures[action.picture]?.nodes : undefined;
        const place = nodes?.find(({ id }) => id === action.node)?.place;
        if (place !== undefined) await goTo(place);
      }
    }
  };

  const open = (): WebviewPanel => {
    const opened = window.createWebviewPanel(
      'authgraph.graph',
      titleOf(shownDocument()),
      { viewColumn: ViewColumn.Beside, preserveFocus: false },
      webviewOptions(extension),
    );
    pageIsReady = false;
    opened.iconPath = {
      light: Uri.joinPath(extension, 'media', 'graph-light.svg'),
      dark: Uri.joinPath(extension, 'media', 'graph-dark.svg'),
    };
    opened.webview.onDidReceiveMessage((message: unknown) => {
      const action = readGraphAction(message);
      if (action !== undefined) void handleAction(action);
    });
    opened.onDidChangeViewState(reportActive);
    opened.onDidDispose(() => {
      panel = undefined;
      pinned = undefined;
      reportActive();
      pendingPng?.end(undefined);
    });
    opened.webview.html = pageHtml(opened.webview, extension, {
      name: 'graph',
      title: 'Authenticator Graph',
    });
    return opened;
  };
  /** Shows the graph of the current configuration. */
  const reveal = async (): Promise<void> => {
    pinned = model.configuration;
    await show();
  };
  const show = async (): Promise<void> => {
    if (panel === undefined) panel = open();
    else panel.reveal(undefined, false);
    if (pageIsReady) await refresh();
  };

  /**
   * Lets the user select a sample. If the graph had the focus, it gets it back: VS Code, which
   * returns the focus when a picker closes, may lose it while the page is redrawn.
   */
  const selectSample = async (): Promise<void> => {
    const wasActive = panel?.active === true;
    await samples.select(wasActive ? shownDocument()?.uri.toString() : undefined);
    if (wasActive && panel?.active === true) panel.reveal(undefined, false);
  };

  const showText = async (): Promise<void> => {
    await refresh();
    isTextOpen = true;
    const uri = results.put(textName, textAlternative(answer));
    const viewColumn = panel?.viewColumn ?? ViewColumn.Beside;
    await window.showTextDocument(uri, { preview: true, viewColumn });
  };

  const drawPng = async (picture: number): Promise<Uint8Array | undefined> => {
    await show();
    pendingPng?.end(undefined);
    if (panel === undefined) return undefined;
    return new Promise((resolve) => {
      const timeout = setTimeout(() => pendingPng?.end(undefined), pngMs);
      const end = (bytes: Uint8Array | undefined): void => {
        clearTimeout(timeout);
        pendingPng = undefined;
        resolve(bytes);
      };
      pendingPng = { picture, end };
      void postPng();
    });
  };
  const postPng = async (): Promise<void> => {
    if (pendingPng !== undefined && pageIsReady)
      await post({ kind: 'drawPng', picture: pendingPng.picture });
  };

  const exportPicture = async (): Promise<void> => {
    // The page may regain the focus from the palette after the picker has opened.
    const format = await pick(formats, {
      placeHolder: 'Select a format',
      ignoreFocusOut: true,
    });
    if (format === undefined) return;
    await refresh();
    const { pictures } = answer;
    const picture = await choosePicture(answer);
    if (picture === undefined) return;
    const bytes =
      format.ending === 'png'
        ? await drawPng(pictures.indexOf(picture))
        : new TextEncoder().encode(format.ending === 'svg' ? picture.svg : picture.mermaid);
    if (bytes === undefined) {
      return showError("the picture couldn't be drawn. Try SVG");
    }
    const folder = workspace.workspaceFolders?.[0]?.uri;
    const name = `${fileNameOf(picture.title)}.${format.ending}`;
    const target = await window.showSaveDialog({
      title: 'Export Graph',
      filters: { [format.label]: [format.ending] },
      ...(folder === undefined ? {} : { defaultUri: Uri.joinPath(folder, name) }),
    });
    if (target === undefined) return;
    await workspace.fs.writeFile(target, bytes);
    const written = target.path.slice(target.path.lastIndexOf('/') + 1);
    showInfo(`exported ${written}`);
  };

  const copyCommandOfPicture = async (): Promise<void> => {
    const picture = await choosePicture(answer);
    if (picture !== undefined) await copyCommandFor(shownDocument(), picture);
  };

  const choosePicture = async (from: GraphAnswer): Promise<GraphPicture | undefined> => {
    if (from.pictures.length === 0) return showInfo(from.problem ?? 'there is no graph');
    if (from.pictures.length === 1) return from.pictures[0];
    const items = from.pictures.map((picture) => ({ label: picture.title, picture }));
    return (await pick(items, { placeHolder: 'Select a graph' }))?.picture;
  };

  const subscriptions = [
    model.onDidChange(() => {
      if (panel?.visible === true || isTextOpen) void refresh();
    }),
    window.onDidChangeTextEditorSelection(({ textEditor }) => {
      const isShown = textEditor.document === shownDocument();
      if (isShown && panel?.visible === true) void postCursor();
    }),
    workspace.onDidCloseTextDocument((document) => {
      if (document.uri.path === `/${textName}`) isTextOpen = false;
      if (document !== pinned) return;
      pinned = undefined;
      if (panel?.visible === true) void refresh();
    }),
  ];
  return {
    reveal,
    selectSample,
    showText,
    exportPicture,
    dispose(): void {
      for (const each of subscriptions) each.dispose();
      panel?.dispose();
    },
  };
};

/** A PNG that was requested from the page. */
interface PendingPng {
  readonly picture: number;
  /** `undefined` if the page did not deliver one. */
  end(bytes: Uint8Array | undefined): void;
}

const pngMs = 10_000;

const titleOf = (document: TextDocument | undefined): string =>
  document === undefined
    ? 'Authenticator Graph'
    : `Graph: ${document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1)}`;

const textName = 'authenticator graph.txt';

const textAlternative = ({ pictures, problem }: GraphAnswer): string =>
  [
    ...(pictures.length > 0 && problem === undefined
      ? []
      : [`${problem ?? 'there is no graph'}\n`]),
    ...pictures.map(({ title, text }) => `${title}\n\n${text.trimEnd()}\n`),
  ].join('\n');

const formats = [
  { label: 'SVG', description: 'scalable picture', ending: 'svg' },
  { label: 'PNG', description: 'bitmap picture', ending: 'png' },
  { label: 'Mermaid', description: 'diagram source for Markdown', ending: 'mmd' },
] as const;

/** Returns the node with the smallest range around the cursor. */
const nodeAtCursor = ({
  pictures,
}: GraphAnswer): { readonly picture: number | undefined; readonly node: string | undefined } => {
  const editor = window.visibleTextEditors.find(({ document }) =>
    pictures.some(({ nodes }) => nodes.some((n) => n.place?.uri === document.uri.toString())),
  );
  const nodes = pictures.flatMap((one, picture) => one.nodes.map((node) => ({ ...node, picture })));
  const best = smallestAtCursor(nodes, editor);
  return { picture: best?.picture, node: best?.id };
};
