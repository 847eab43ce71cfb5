/** Rewrites a file of an older version as `v1` if only the version has to change. */
import { type Compilation, compile } from '../../compile/compile.ts';
import { graphText } from '../../compile/explain.ts';
import { sourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';
import { applyEdits, type TextEdit } from '../../source/text-edit.ts';

export interface VersionRewrite {
  /** The position of the version in the file. */
  readonly span: Span;
  readonly title: string;
}

/** Returns the position of a version that may be rewritten; it does no new work. */
export const olderVersion = ({ configuration, graph }: Compilation): VersionRewrite | undefined => {
  if (configuration === undefined || graph === undefined) return undefined;
  const { value, span } = configuration.version;
  return value === newest || value === '__internal'
    ? undefined
    : { span, title: `Write it as apiserver.config ${newest}` };
};

/**
 * Returns no edits if the version is not older, or if the file would change its meaning. It
 * compiles the whole file again.
 */
export const rewriteAsV1 = (compilation: Compilation): readonly TextEdit[] => {
  const { configuration, document, settings, graph } = compilation;
  const older = olderVersion(compilation);
  if (older === undefined || configuration === undefined || graph === undefined) return [];
  const { text, uri } = document.source;
  const { value } = configuration.version;
  const at = text.slice(older.span.start, older.span.end).lastIndexOf(`/${value}`);
  if (at === -1) return [];
  const start = older.span.start + at + 1;
  const edits = [{ span: { start, end: start + value.length }, newText: newest }];
  const changed = compile({ source: sourceFile(uri, applyEdits(text, edits)), settings });
  const isSame = changed.graph !== undefined && graphText(changed.graph) === graphText(graph);
  return isSame ? edits : [];
};

const newest = 'v1';
