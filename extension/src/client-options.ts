/** Options of the language client: documents, file access, and middleware. */

import { type ClientOptions, inMessage } from '@authgraph/language-server/protocol';
import { workspace } from 'vscode';
import type { LanguageClientOptions } from 'vscode-languageclient';
import { errorMessage } from './error-message.ts';
import { withoutLateCompletions } from './late-completions.ts';
import type { LensRefresh } from './lens-refresh.ts';
import type { Platform } from './platform.ts';
import { isCopy, languages } from './recognize-document.ts';
import { linkedToPage } from './rule-pages.ts';
import { diagnosticsScope, section, serverSettings } from './settings.ts';

export const clientOptions = (
  platform: Pick<Platform, 'files'>,
  { provideCodeLenses }: Pick<LensRefresh, 'provideCodeLenses'>,
): LanguageClientOptions => ({
  documentSelector: languages.map((language) => ({ language })),
  // Evaluated at each start, because trust can be granted while the window is open.
  initializationOptions: (): ClientOptions => ({
    commands: 'client',
    ...(platform.files() === 'client' ? { files: 'client' } : {}),
    trusted: workspace.isTrusted,
    ...(diagnosticsScope() === 'openFiles' ? { diagnosticsScope: 'openFiles' } : {}),
  }),
  // Hovers may not contain commands or HTML.
  markdown: { isTrusted: false, supportHtml: false },
  middleware: {
    didOpen: async (document, next) => {
      if (!isCopy(document.uri.scheme)) await next(document);
    },
    // VS Code shows the error in its own message, and it contains file names.
    provideRenameEdits: async (document, position, newName, token, next) => {
      try {
        return await next(document, position, newName, token);
      } catch (cause) {
        throw new Error(inMessage(errorMessage(cause)), { cause });
      }
    },
    provideCodeLenses,
    provideCompletionItem: withoutLateCompletions,
    provideDiagnostics: async (document, previous, token, next) => {
      const report = await next(document, previous, token);
      if (report?.kind === 'full') report.items.forEach(linkedToPage);
      return report;
    },
    provideWorkspaceDiagnostics: (known, token, report, next) =>
      next(known, token, (chunk) => {
        for (const each of chunk?.items ?? []) {
          if (each.kind === 'full') each.items.forEach(linkedToPage);
        }
        report(chunk);
      }),
    workspace: {
      configuration: (params, token, next) =>
        params.items.every((item) => item.section === section)
          ? params.items.map(serverSettings)
          : next(params, token),
    },
  },
});
