/**
 * Offers to replace `--oidc-*` flags in a cluster tool's file by an equivalent configuration file.
 */
import { findOidcFlags, type Span, sourceFile } from '@authgraph/engine/language';
import { type CodeAction, CodeActionKind, CreateFile, type Range } from 'vscode-languageserver';
import { URI, Utils } from 'vscode-uri';
import { rangeOf } from '../to-protocol.ts';
import type { Workspace } from '../workspace.ts';

/**
 * Returns actions for flags on the lines of the range. The new file is placed in the same folder;
 * an existing file is never overwritten.
 */
export const flagActions = (
  workspace: Workspace,
  uri: string,
  { start, end }: Range,
): readonly CodeAction[] => {
  const text = workspace.text(uri);
  if (text === undefined || !text.includes('oidc-issuer-url')) return [];
  const source = sourceFile(uri, text);
  const isInRange = (span: Span): boolean => {
    const range = rangeOf(source, span);
    return range.start.line <= end.line && range.end.line >= start.line;
  };
  return findOidcFlags(source, workspace.options)
    .filter(({ spans }) => spans.some(isInRange))
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
