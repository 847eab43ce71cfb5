/** Which files of the workspace a cluster's own configuration names as that of its authentication. */
import { type ReferencedFile, referencedFiles, sourceFile } from '@authgraph/engine/language';
import type { Range } from 'vscode-languageserver';
import { URI, Utils } from 'vscode-uri';
import type { Folders } from './folders.ts';
import { limits } from './limits.ts';
import { rangeOf } from './to-protocol.ts';

export interface FileReference {
  /** Where the path stands. */
  readonly range: Range;
  /** A file below a workspace folder, or a place in the same file. Whether it exists is not asked. */
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
  // Not a path but the address of something.
  if (path === '' || /^[a-z][a-z\d+.-]*:/i.test(path)) return undefined;
  try {
    const target = Utils.resolvePath(Utils.dirname(URI.parse(uri, true)), path).toString();
    return folders.pathOf(target) === undefined ? undefined : target;
  } catch {
    return undefined;
  }
};
