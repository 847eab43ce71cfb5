/** The Whoami view: the verdict on the current sample and any others, with the steps. */
import type { WhoamiReport } from '@authgraph/language-server/protocol';
import type { Uri } from 'vscode';
import { commands, Disposable, languages, type WebviewView, window, workspace } from 'vscode';
import { copyCommandFor } from '../copied-command.ts';
import type { SampleCommands } from '../identities/sample-commands.ts';
import { latestOnly } from '../latest-request.ts';
import {
  type AsFields,
  emptyAsFields,
  readWhoamiAction,
  type TakeFocus,
  type WhoamiAction,
} from '../messages/whoami.ts';
import { showInfo } from '../messages.ts';
import type { Model } from '../model.ts';
import { goTo } from '../place.ts';
import type { ServerRequests } from '../requests.ts';
import type { Results } from '../results.ts';
import { pageHtml, webviewOptions } from '../webview-page.ts';
import { actingRow, asParams } from './as-params.ts';
import { createLastAnswers } from './last-answers.ts';
import { createRowActions } from './row-actions.ts';
import { type NumberedReport, whoamiState } from './whoami-state.ts';

/** An authenticator as named by a lens. */
export interface AuthenticatorEntry {
  readonly authenticator: number;
  /** Index among the configurations of the file. */
  readonly configuration: number;
}

export const createWhoamiView = (parts: {
  readonly model: Model;
  readonly requests: ServerRequests;
  readonly samples: SampleCommands;
  readonly results: Results;
  readonly extension: Uri;
}) => {
  const { model, requests, samples, results, extension } = parts;
  const requestWhoami = latestOnly(requests.whoami);
  let view: WebviewView | undefined;
  let others: ReadonlySet<string> | 'all' = new Set();
  let as: AsFields = emptyAsFields;
  let requestCount = 0;
  let pageIsReady = false;
  /** Whether the view was requested before its page could take the focus. */
  let wantsFocus = false;
  /** What the page shows; actions refer to this state. */
  let shown: NumberedReport = { number: 0, report: { rows: [] }, document: undefined };
  const lastAnswers = createLastAnswers();
  const rowActions = createRowActions({ samples, results });

  const ids = (): readonly string[] =>
    model.samples
      .filter(({ id, problem }) => problem === undefined && isShown(id))
      .map(({ id }) => id);
  const isShown = (id: string): boolean =>
    others === 'all' || others.has(id) || id === model.current?.id;

  const request = async (): Promise<WhoamiReport> => {
    const uri = model.configuration?.uri.toString() ?? '';
    const acting = asParams(as);
    const shownIds = ids();
    const report = await requestWhoami({
      uri,
      ...(shownIds.length === 0 ? {} : { samples: shownIds }),
      ...(acting === undefined ? {} : { as: acting }),
    });
    lastAnswers.remember(uri, report);
    const complete = lastAnswers.complete(uri, report, shownIds);
    return { ...complete, rows: complete.rows.map((row) => actingRow(row, acting)) };
  };
  /** Only the result of the latest of several concurrent requests is shown. */
  const refresh = async (): Promise<void> => {
    requestCount += 1;
    const number = requestCount;
    const document = model.configuration;
    const report = currentFirst(await request(), model.current?.id);
    if (requestCount !== number) return;
    shown = { number, report, document };
    rowActions.follow(report);
    await view?.webview.postMessage(state());
  };
  const refreshIfSeen = (): void => {
    if (view?.visible === true || rowActions.isTextOpen()) void refresh();
    else lastAnswers.markOutdated(model.configuration?.uri.toString() ?? '');
  };

  const state = () => whoamiState(shown, model, { as, isShown, lastAnswers });

  const handleAction = async (action: WhoamiAction): Promise<void> => {
    switch (action.kind) {
      case 'ready':
        pageIsReady = true;
        await refresh();
        return focusIfWanted();
      case 'select':
        return samples.select();
      case 'paste':
        return samples.pasteToken();
      case 'newSample':
        return samples.create();
      case 'newConfiguration':
        return commands.executeCommand('authgraph.newConfiguration');
      case 'show':
        others = new Set(action.samples);
        return refresh();
      case 'as':
        as = action.as;
        return refresh();
      case 'goToError': {
        const failures = action.number === shown.number ? shown.report.loadFailures : undefined;
        const errors = failures?.flatMap((failure) => failure.errors) ?? [];
        const place = errors[action.index]?.place;
        if (place !== undefined) await goTo(place);
        return;
      }
      default: {
        const row = action.number === shown.number ? shown.report.rows[action.row] : undefined;
        if (row !== undefined) await rowActions.run(action, row, shown.document);
      }
    }
  };
  /**
   * Requests a new report with the current sample first; shows the problem if there are no rows.
   */
  const currentReport = async (): Promise<WhoamiReport> => {
    await model.readSamples();
    await refresh();
    const { rows, problem } = shown.report;
    if (rows.length === 0 && problem !== undefined) showInfo(problem);
    return shown.report;
  };
  const reveal = async (): Promise<void> => {
    await commands.executeCommand('authgraph.whoami.focus');
    wantsFocus = true;
    if (view === undefined || !pageIsReady) return;
    await refresh();
    await focusIfWanted();
  };
  const focusIfWanted = async (): Promise<void> => {
    if (!wantsFocus) return;
    wantsFocus = false;
    const message: TakeFocus = { kind: 'focus' };
    await view?.webview.postMessage(message);
  };

  const subscriptions = [
    model.onDidChange(refreshIfSeen),
    workspace.onDidCloseTextDocument(({ uri }) => lastAnswers.forget(uri.toString())),
    window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (view?.visible !== true || textEditor.document !== model.configuration) return;
      void view.webview.postMessage(state());
    }),
    languages.onDidChangeDiagnostics(({ uris }) => {
      // Without rows the view shows the problems of the file.
      if (view?.visible !== true || shown.report.rows.length > 0) return;
      const uri = model.configuration?.uri.toString();
      if (uris.some((each) => each.toString() === uri)) void view.webview.postMessage(state());
    }),
    rowActions,
  ];

  return {
    show(resolved: WebviewView): void {
      view = resolved;
      pageIsReady = false;
      resolved.webview.options = webviewOptions(extension);
      resolved.webview.onDidReceiveMessage((message: unknown) => {
        const action = readWhoamiAction(message);
        if (action !== undefined) void handleAction(action);
      });
      resolved.onDidChangeVisibility(refreshIfSeen);
      resolved.onDidDispose(() => {
        view = undefined;
      });
      resolved.webview.html = pageHtml(resolved.webview, extension, {
        name: 'whoami',
        title: 'Whoami',
      });
    },
    /** Shows the view with all samples side by side. */
    async compareAll(): Promise<void> {
      others = 'all';
      await reveal();
    },
    /** Shows the view with the current sample, and the samples of an authenticator. */
    async explain(entry?: AuthenticatorEntry): Promise<void> {
      others = new Set(entry === undefined ? [] : await samplesOf(entry, parts));
      await reveal();
    },
    async impersonate(): Promise<void> {
      const username = await window.showInputBox({
        title: 'Impersonate',
        prompt: 'The user that the sample impersonates. Leave empty for none.',
        value: as.username,
      });
      if (username === undefined) return;
      as = { ...as, username };
      await reveal();
    },
    async copyCommand(): Promise<void> {
      const [row] = (await currentReport()).rows;
      if (row !== undefined) await copyCommandFor(shown.document, row);
    },
    async showResult(): Promise<void> {
      const report = await currentReport();
      if (report.rows.length > 0) await rowActions.openReport(report);
    },
    dispose: () => Disposable.from(...subscriptions).dispose(),
  };
};

const currentFirst = (report: WhoamiReport, current: string | undefined): WhoamiReport => ({
  ...report,
  rows: [
    ...report.rows.filter(({ sample }) => sample.id === current),
    ...report.rows.filter(({ sample }) => sample.id !== current),
  ],
});

/**
 * Returns the samples of an authenticator; none if the current sample is one of them, because it
 * suffices.
 */
const samplesOf = async (
  entry: AuthenticatorEntry,
  { model, requests }: { readonly model: Model; readonly requests: ServerRequests },
): Promise<readonly string[]> => {
  const uri = model.configuration?.uri.toString();
  if (uri === undefined) return [];
  const { rows } = await requests.verdicts({ uri, samples: 'all' });
  const accepted = rows
    .filter(
      ({ authenticator, configuration }) =>
        authenticator === entry.authenticator && configuration.index === entry.configuration,
    )
    .map(({ sample }) => sample.id);
  return accepted.includes(model.current?.id ?? '') ? [] : accepted;
};
