/** Asks the client to refresh what it shows, in as few messages as possible. */
import type { ClientCapabilities, Connection } from 'vscode-languageserver';
import type { ClientMessages } from './client-messages.ts';

export interface ViewRefresher {
  /** Schedules a refresh after settings or samples changed. */
  schedule(): void;
}

export const createViewRefresher = (
  connection: Connection,
  clientMessages: ClientMessages,
  client: () => ClientCapabilities,
): ViewRefresher => {
  let isScheduled = false;

  const requestRefresh = (method: string, isWanted: boolean | undefined): void => {
    if (isWanted === true) clientMessages.send(() => connection.sendRequest(method));
  };
  const requestAllRefreshes = (): void => {
    const { workspace } = client();
    requestRefresh('workspace/diagnostic/refresh', workspace?.diagnostics?.refreshSupport);
    requestRefresh('workspace/inlayHint/refresh', workspace?.inlayHint?.refreshSupport);
    requestRefresh('workspace/codeLens/refresh', workspace?.codeLens?.refreshSupport);
  };

  return {
    schedule() {
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(() => {
        isScheduled = false;
        requestAllRefreshes();
      }, 0);
    },
  };
};
