/** The settings: asked of the client where it answers, else as it last sent them. */
import {
  type ClientCapabilities,
  type Connection,
  DidChangeConfigurationNotification,
} from 'vscode-languageserver';
import { type EditorOptions, readOptions } from './editor-options.ts';
import { memberOf } from './member-of.ts';

export interface SettingsSource {
  /** Asks now, and again after each change. */
  start(capabilities: ClientCapabilities): void;
}

export const createSettingsSource = (
  connection: Connection,
  apply: (options: EditorOptions) => void,
): SettingsSource => {
  let canRequest = false;
  let lastSerialized = '';

  /** The same settings again change nothing. */
  const applyIfChanged = (settings: unknown): void => {
    const serialized = JSON.stringify(settings) ?? '';
    if (serialized === lastSerialized) return;
    lastSerialized = serialized;
    apply(readOptions(settings));
  };

  /** `unanswered` where the client announced that it answers and does not: the settings stay as they are. */
  const request = async (): Promise<'not asked' | 'answered' | 'unanswered'> => {
    if (!canRequest) return 'not asked';
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
    start({ workspace }) {
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
