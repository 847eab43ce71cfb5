/**
 * The settings, requested from the client if it supports that, otherwise taken from its
 * notifications.
 */
import {
  type ClientCapabilities,
  type Connection,
  DidChangeConfigurationNotification,
} from 'vscode-languageserver';
import { type EditorOptions, readOptions } from './editor-options.ts';
import { memberOf } from './member-of.ts';

export const createSettingsSource = (
  connection: Connection,
  apply: (options: EditorOptions) => void,
) => {
  let canRequest = false;
  let lastSerialized = '';

  /** Applies the settings unless they are unchanged. */
  const applyIfChanged = (settings: unknown): void => {
    const serialized = JSON.stringify(settings) ?? '';
    if (serialized === lastSerialized) return;
    lastSerialized = serialized;
    apply(readOptions(settings));
  };

  /**
   * Returns `unanswered` if the client announced support and fails to answer; the settings stay
   * unchanged then.
   */
  const request = async (): Promise<'unsupported' | 'answered' | 'unanswered'> => {
    if (!canRequest) return 'unsupported';
    try {
      const settings: unknown = await connection.workspace.getConfiguration(section);
      if (settings !== null && settings !== undefined) applyIfChanged(settings);
      return 'answered';
    } catch {
      return 'unanswered';
    }
  };

  connection.onDidChangeConfiguration((params: unknown) => {
    const sent = memberOf(params, 'settings');
    const ours = memberOf(sent, section) ?? (canRequest ? undefined : sent);
    if (ours !== undefined && ours !== null) applyIfChanged(ours);
    request();
  });

  return {
    /** Requests the settings now and after each change. */
    start({ workspace }: ClientCapabilities): void {
      canRequest = workspace?.configuration === true;
      if (workspace?.didChangeConfiguration?.dynamicRegistration === true) {
        connection.client
          .register(DidChangeConfigurationNotification.type, { section })
          .catch(() => undefined);
      }
      request();
    },
  };
};

const section = 'authgraph';
