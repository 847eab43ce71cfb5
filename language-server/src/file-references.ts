/**
 * Finds the files that a cluster's own configuration references as its authentication
 * configuration.
 */
import { type ReferencedFile, referencedFiles, sourceFile } from '@authgraph/engine/language';
import type { Range } from 'vscode-languageserver';
import { URI, Utils } from 'vscode-uri';
import type { Folders } from './folders.ts';
import { limits } from './limits.ts';
import { rangeOf } from './to-protocol.ts';

export interface FileReference {
  /** The range of the path. */
  readonly range: Range;
  /** A file in a workspace folder, or a position in the same file. The file may not exist. */
  readonly target: string;
}

export const fileReferences = (
  document: { readonly uri: string; getText(): string },
  folders: Folders,
): readonly FileReference[] => {
  const text = document.getText();
  if (text.length > limits.documentLength) return [];
  const file = sourceFile(document.uri, text);
  return referencedFiles(file).flatMap((referred) => {
    const target =
      referred.content === undefined
        ? targetOf(document.uri, referred, folders)
        : `${document.uri}#${file.positionAt(referred.content.start).line + 1}`;
    return target === undefined ? [] : [{ range: rangeOf(file, referred.span), target }];
  });
};

const targetOf = (uri: string, { path }: ReferencedFile, folders: Folders): string | undefined => {
  // A URL rather than a path.
  if (path === '' || /^[a-z][a-z\d+.-]*:/i.test(path)) return undefined;
  try {
    const target = Utils.resolvePath(Utils.dirname(URI.parse(uri, true)), path).toString();
    return folders.pathOf(target) === undefined ? undefined : target;
  } catch {
    return undefined;
  }
};
