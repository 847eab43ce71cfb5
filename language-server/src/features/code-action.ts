/** Quick fixes of diagnostics, all certain ones at once, and tokens that should not stand in a file. */
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  CodeActionTriggerKind,
} from 'vscode-languageserver';
import type { Workspace } from '../workspace.ts';
import { fixAllKind, fixAllActions, quickFixes } from './code-action-fixes.ts';
import { flagActions } from './code-action-flags.ts';
import { tokenActions } from './code-action-tokens.ts';
import { versionActions } from './code-action-version.ts';
import type { Feature, PartContext } from './feature.ts';
import { formatActions, formatKind } from './formatting.ts';

/** Of a document and a range in it. */
const codeActions = (
  workspace: Workspace,
  { textDocument: { uri }, range, context }: CodeActionParams,
): readonly CodeAction[] => {
  const isWanted = wantedKinds(context.only);
  return [
    ...workspace.parts(uri).flatMap((part) => {
      const here: PartContext = { workspace, part };
      const span = part.places.spanOf(range);
      return [
        ...(span !== undefined && isWanted(CodeActionKind.QuickFix)
          ? quickFixes(here, span, context.diagnostics)
          : []),
        ...(span !== undefined && isWanted(CodeActionKind.RefactorRewrite)
          ? [
              ...versionActions(here, span),
              // No light bulb for blanks.
              ...(context.triggerKind === CodeActionTriggerKind.Automatic
                ? []
                : formatActions(here, { span, kind: CodeActionKind.RefactorRewrite })),
            ]
          : []),
        // Costly, so only for those who ask.
        ...(context.only !== undefined && isWanted(fixAllKind) ? fixAllActions(here) : []),
        ...(context.only !== undefined && isWanted(formatKind)
          ? formatActions(here, { span: undefined, kind: formatKind })
          : []),
      ];
    }),
    ...(isWanted(CodeActionKind.QuickFix) ? tokenActions(workspace, uri, { range, context }) : []),
    ...(isWanted(CodeActionKind.RefactorRewrite) ? flagActions(workspace, uri, range) : []),
  ];
};

/** A kind that is asked for stands for those below it. */
const wantedKinds = (only: readonly string[] | undefined): ((kind: string) => boolean) => {
  if (only === undefined) return () => true;
  return (kind) => only.some((requested) => kind === requested || kind.startsWith(`${requested}.`));
};

export const codeAction: Feature = {
  capabilities: {
    codeActionProvider: {
      codeActionKinds: [
        CodeActionKind.QuickFix,
        CodeActionKind.RefactorRewrite,
        fixAllKind,
        formatKind,
      ],
    },
  },
  register(connection, handlers) {
    connection.onCodeAction(
      handlers.guarded((params) => [...codeActions(handlers.workspace, params)], []),
    );
  },
};
