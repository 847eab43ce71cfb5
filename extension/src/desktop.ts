/** The extension on the desktop: the language server is a process of its own. */
import type { ExtensionContext } from 'vscode';
import { activateOn } from './activate.ts';

export const activate = (context: ExtensionContext): void =>
  activateOn(context, {
    files: 'server',
    createClient: async (options) =>
      (await import('./desktop-client.ts')).createDesktopClient(
        context.asAbsolutePath('dist/server.js'),
        options,
      ),
  });
