/** The language server at work, from its start to its end. */

import type { ClientOptions } from '@authgraph/language-server/protocol';
import { type Disposable, workspace } from 'vscode';
import {
  type BaseLanguageClient,
  DidChangeConfigurationNotification,
  type LanguageClientOptions,
} from 'vscode-languageclient';
import type { Platform } from './platform.ts';
import { isCopy, languages } from './recognise.ts';
import { section, serverSettings } from './settings.ts';

export interface Session {
  readonly client: BaseLanguageClient;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export const startSession = async (platform: Platform): Promise<Session> => {
  const client = await platform.createClient(clientOptions(platform));
  const sendSettings = (): Promise<void> =>
    client.sendNotification(DidChangeConfigurationNotification.type, {
      settings: { [section]: serverSettings() },
    });
  const followed: readonly Disposable[] = [
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(section)) void sendSettings();
    }),
  ];
  await client.start();
  await sendSettings();
  return {
    client,
    async restart() {
      await client.stop();
      await client.start();
      await sendSettings();
    },
    async stop() {
      for (const each of followed) each.dispose();
      await client.stop();
    },
  };
};

const clientOptions = (platform: Platform): LanguageClientOptions => ({
  documentSelector: languages.map((language) => ({ language })),
  initializationOptions: {
    commands: 'client',
    ...(platform.files === 'client' ? { files: 'client' } : {}),
    trusted: workspace.isTrusted,
  } satisfies ClientOptions,
  middleware: {
    didOpen: async (document, next) => {
      if (!isCopy(document.uri.scheme)) await next(document);
    },
    workspace: {
      configuration: (params, token, next) =>
        params.items.every((item) => item.section === section)
          ? params.items.map(serverSettings)
          : next(params, token),
    },
  },
});
