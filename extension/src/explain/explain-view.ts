/**
 * The panel that explains a 401: one answer about a pasted token over all configurations of the
 * workspace. The token is held only until its signature is checked; the claims are held while the
 * panel is open.
 */
import { env, type Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import { checkWithFiles, holdToken } from '../identities/signature-checks.ts';
import {
  bareToken,
  expiryText,
  readTokenClaims,
  type TokenClaims,
} from '../identities/token-claims.ts';
import { promptForToken } from '../identities/token-input.ts';
import { latestOnly } from '../latest-request.ts';
import { type ExplainAction, readExplainAction } from '../messages/explain.ts';
import { copyText, showError } from '../messages.ts';
import type { Model } from '../model.ts';
import { goTo } from '../place.ts';
import type { ServerRequests } from '../requests.ts';
import { pageOfCode } from '../rule-pages.ts';
import { pageHtml, webviewOptions } from '../webview-page.ts';
import { explainState, type ShownReport } from './explain-state.ts';

interface ExplainedToken extends Pick<TokenClaims, 'claims' | 'name' | 'expires'> {
  readonly signature: string;
}

export const createExplainView = ({
  model,
  requests,
  extension,
}: {
  readonly model: Pick<Model, 'onDidChange'>;
  readonly requests: Pick<ServerRequests, 'explainToken'>;
  readonly extension: Uri;
}) => {
  const requestExplanation = latestOnly(requests.explainToken);
  let panel: WebviewPanel | undefined;
  let pageIsReady = false;
  let token: ExplainedToken | undefined;
  let requestCount = 0;
  /** What the page shows; actions refer to it. */
  let shown: ShownReport | undefined;

  const refresh = async (): Promise<void> => {
    if (token === undefined) return;
    requestCount += 1;
    const number = requestCount;
    const { claims, signature, name, expires } = token;
    const report = await requestExplanation({ claims, signature });
    if (number !== requestCount || panel === undefined) return;
    const description = `${name}: ${expiryText(expires, Date.now())}, ${signature}`;
    shown = explainState(report, { number, token: description });
    await panel.webview.postMessage(shown.state);
  };

  const handleAction = async (action: ExplainAction): Promise<void> => {
    switch (action.kind) {
      case 'ready':
        pageIsReady = true;
        return refresh();
      case 'again':
        return refresh();
      case 'another':
        return explain();
      default: {
        if (shown === undefined || action.number !== shown.state.number) return;
        return follow(action, shown);
      }
    }
  };
  /** Goes to a place, copies the log line of a row, or shows the page of its code. */
  const follow = async (
    { kind, index }: Extract<ExplainAction, { readonly index: number }>,
    { places, state }: ShownReport,
  ): Promise<void> => {
    const place = places[index];
    const { logLine, code } = state.rows[index] ?? {};
    if (kind === 'goTo' && place !== undefined) await goTo(place);
    if (kind === 'copy' && logLine !== undefined) await copyText(logLine, 'the log line');
    if (kind !== 'page' || code === undefined) return;
    const page = await pageOfCode(code, extension);
    if (page !== undefined) await window.showTextDocument(page, { viewColumn: ViewColumn.Beside });
  };

  const open = (): WebviewPanel => {
    const opened = window.createWebviewPanel(
      'authgraph.explain',
      title,
      { viewColumn: ViewColumn.Active, preserveFocus: false },
      webviewOptions(extension),
    );
    pageIsReady = false;
    opened.webview.onDidReceiveMessage((message: unknown) => {
      const action = readExplainAction(message);
      if (action !== undefined) void handleAction(action);
    });
    opened.onDidDispose(() => {
      panel = undefined;
      token = undefined;
      shown = undefined;
    });
    opened.webview.html = pageHtml(opened.webview, extension, { name: 'explain', title });
    return opened;
  };

  /** Prompts for a token and explains it. */
  const explain = async (): Promise<void> => {
    const typed = await promptForToken(
      title,
      'A JWT that was rejected. Leave it empty to read the JWT from the clipboard. Only its claims are held, in memory.',
    );
    if (typed === undefined) return;
    const pasted = typed.trim() === '' ? await env.clipboard.readText() : typed;
    const described = await describe(pasted);
    if (typeof described === 'string') return showError(described);
    token = described;
    if (panel === undefined) panel = open();
    else panel.reveal(undefined, false);
    if (pageIsReady) await refresh();
  };

  const subscription = model.onDidChange(() => {
    if (panel?.visible === true && pageIsReady) void refresh();
  });
  return {
    explain,
    dispose(): void {
      subscription.dispose();
      panel?.dispose();
    },
  };
};

const title = 'Explain a 401';

/** Reads the claims and checks the signature; returns an error message for other texts. */
const describe = async (pasted: string): Promise<ExplainedToken | string> => {
  const reading = readTokenClaims(pasted);
  if (reading.kind === 'invalid') return reading.problem;
  const held = holdToken(bareToken(pasted));
  try {
    const { claims, name, expires } = reading.token;
    const signature = await checkWithFiles(held);
    return { claims, signature, name, expires };
  } finally {
    held.drop();
  }
};
