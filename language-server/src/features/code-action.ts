/**
 * Quick fixes of diagnostics and of a rejected sample, fixing a whole file, replacing tokens that do
 * not belong in files, rewriting older versions and flags.
 */
import {
  findOidcFlags,
  olderVersion,
  rewriteAsV1,
  type Span,
  sourceFile,
  touches,
} from '@authgraph/engine/language';
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  CodeActionTriggerKind,
  CreateFile,
  type Range,
} from 'vscode-languageserver';
import { URI, Utils } from 'vscode-uri';
import { targetReleaseOf } from '../editor-options.ts';
import { testFilePart } from '../test-files.ts';
import { rangeOf, sharesLine } from '../to-protocol.ts';
import type { Workspace } from '../workspace.ts';
import {
  editOf,
  fixAllActions,
  fixAllKind,
  quickFixes,
  settingsFixes,
} from './code-action-fixes.ts';
import { refusalActions } from './code-action-refusals.ts';
import { tokenActions } from './code-action-tokens.ts';
import type { Feature, PartContext } from './feature.ts';
import { formatActions, formatKind } from './formatting.ts';

/** Returns the code actions for a range of a document. */
const codeActions = (
  workspace: Workspace,
  { textDocument: { uri }, range, context }: CodeActionParams,
): readonly CodeAction[] => {
  const isWanted = wantedKinds(context.only);
  const file = workspace.settingsPart(uri) ?? testFilePart(workspace, uri);
  return [
    ...(file !== undefined && isWanted(CodeActionKind.QuickFix)
      ? settingsFixes(file, range, context.diagnostics)
      : []),
    ...workspace.parts(uri).flatMap((part) => {
      const here: PartContext = { workspace, part };
      const span = part.places.spanOf(range);
      return [
        ...(span !== undefined && isWanted(CodeActionKind.QuickFix)
          ? withoutCopies([
              ...quickFixes(here, span, context.diagnostics),
              ...refusalActions(here, span),
            ])
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

/** Leaves out actions with the same edits as an earlier one. */
const withoutCopies = (actions: readonly CodeAction[]): readonly CodeAction[] =>
  [
    ...new Map(
      actions.toReversed().map((action) => [JSON.stringify(action.edit), action]),
    ).values(),
  ].reverse();

/** Returns a predicate for requested kinds: requesting a kind includes the kinds below it. */
const wantedKinds = (only: readonly string[] | undefined): ((kind: string) => boolean) => {
  if (only === undefined) return () => true;
  return (kind) => only.some((requested) => kind === requested || kind.startsWith(`${requested}.`));
};

/** Offers to rewrite a configuration of an older API version as v1, at its `apiVersion`. */
const versionActions = ({ part }: PartContext, range: Span): readonly CodeAction[] => {
  const older = olderVersion(part.compilation);
  if (older === undefined || !touches(older.span, range.start)) return [];
  const edits = rewriteAsV1(part.compilation);
  if (edits.length === 0) return [];
  return [{ title: older.title, kind: CodeActionKind.RefactorRewrite, edit: editOf(part, edits) }];
};

/**
 * Offers to replace `--oidc-*` flags in a cluster tool's file, on the lines of the range, by an
 * equivalent configuration file. The new file is placed in the same folder; an existing file is
 * never overwritten.
 */
const flagActions = (workspace: Workspace, uri: string, range: Range): readonly CodeAction[] => {
  const text = workspace.text(uri);
  if (text === undefined || !text.includes('oidc-issuer-url')) return [];
  const source = sourceFile(uri, text);
  return findOidcFlags(source, { targetRelease: targetReleaseOf(workspace.optionsOf(uri)) })
    .filter(({ spans }) => spans.some((span) => sharesLine(rangeOf(source, span), range)))
    .map(({ configuration }) => {
      const target = Utils.resolvePath(Utils.dirname(URI.parse(uri)), fileName).toString();
      const top = { line: 0, character: 0 };
      return {
        title: `Create ${fileName} from the --oidc-* flags`,
        kind: CodeActionKind.RefactorRewrite,
        edit: {
          documentChanges: [
            CreateFile.create(target, { overwrite: false, ignoreIfExists: false }),
            {
              textDocument: { uri: target, version: null },
              edits: [{ range: { start: top, end: top }, newText: configuration }],
            },
          ],
        },
      };
    });
};

const fileName = 'authentication-config.yaml';

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
