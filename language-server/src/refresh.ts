/** Tells a client that answers it has are old, in as few messages as may be. */
import type { ClientCapabilities, Connection } from 'vscode-languageserver';
import type { Telling } from './messages.ts';

export interface Refreshing {
  /** Everything that is shown may be another now: settings, samples. */
  soon(): void;
}

export const createRefreshing = (
  connection: Connection,
  telling: Telling,
  client: () => ClientCapabilities,
): Refreshing => {
  let waiting = false;

  const tell = (method: string, isWanted: boolean | undefined): void => {
    if (isWanted === true) telling.tell(() => connection.sendRequest(method));
  };
  const tellAll = (): void => {
    const { workspace } = client();
    tell('workspace/diagnostic/refresh', workspace?.diagnostics?.refreshSupport);
    tell('workspace/inlayHint/refresh', workspace?.inlayHint?.refreshSupport);
    tell('workspace/codeLens/refresh', workspace?.codeLens?.refreshSupport);
  };

  return {
    soon() {
      if (waiting) return;
      waiting = true;
      setTimeout(() => {
        waiting = false;
        tellAll();
      }, 0);
    },
  };
};
