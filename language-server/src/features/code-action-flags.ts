/** `--oidc-*` flags in a file of a cluster tool: the configuration file that says the same. */
import { findOidcFlags, type Span, sourceFile } from '@authgraph/engine/language';
import { type CodeAction, CodeActionKind, CreateFile, type Range } from 'vscode-languageserver';
import { URI, Utils } from 'vscode-uri';
import { rangeOf } from '../to-protocol.ts';
import type { Workspace } from '../workspace.ts';

/** Where the range touches a line with a flag. The file stands beside this one; none is written over. */
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
        title: `Write ${fileName} in place of the --oidc-* flags`,
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
