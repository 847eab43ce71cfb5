/**
 * Quick fixes of diagnostics, fixing a whole file, and replacing tokens that do not belong in
 * files.
 */
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  CodeActionTriggerKind,
} from 'vscode-languageserver';
import type { Workspace } from '../workspace.ts';
import { fixAllActions, fixAllKind, quickFixes } from './code-action-fixes.ts';
import { flagActions } from './code-action-flags.ts';
import { tokenActions } from './code-action-tokens.ts';
import { versionActions } from './code-action-version.ts';
import type { Feature, PartContext } from './feature.ts';
import { formatActions, formatKind } from './formatting.ts';

/** Returns the code actions for a range of a document. */
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
              // Formatting alone must not show a light bulb.
              ...(context.triggerKind === CodeActionTriggerKind.Automatic
                ? []
                : formatActions(here, { span, kind: CodeActionKind.RefactorRewrite })),
            ]
          : []),
        // Fixing a whole file is expensive, so it is computed only on request.
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

/** Returns a predicate for requested kinds: requesting a kind includes the kinds below it. */
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
