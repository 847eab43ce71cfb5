/**
 * Parses text into a document with positions, like kube-apiserver: YAML 1.1, only the first
 * document, duplicate keys recorded; a text that starts with a brace is strict JSON. Never throws,
 * however broken or hostile the text is.
 */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { diagnosticOf } from '../../diagnostics/rule.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { type Span, span } from '../../source/span.ts';
import { composeTree } from './compose-tree.ts';
import type { ConfigDocument, YamlNode } from './document.ts';
import { duplicateKey, jsonSyntax, yamlSyntax } from './findings.ts';
import { loadJson } from './json-data.ts';
import { asWarning, documentLimits, overLimit } from './limits.ts';
import { type LoadedTree, loadTree } from './load-tree.ts';
import { jsonFixes, repeatedLineFix, withSyntaxFixes, yamlFixes } from './syntax-fixes.ts';
import { YamlError } from './text-cursor.ts';
import { TokenStream } from './token-stream.ts';
import { tolerantTree } from './tolerant-tree.ts';

export interface ParseOptions {
  /**
   * What happens beyond a limit: `refuse` reads nothing, `warn` continues if possible, `none` reads
   * whatever kube-apiserver reads.
   */
  readonly limits: 'refuse' | 'warn' | 'none';
  /**
   * Set if the format is known; otherwise a text that starts with a brace is JSON, as in
   * kube-apiserver.
   */
  readonly as?: 'yaml';
}

export const parseDocument = (
  source: SourceFile,
  options: ParseOptions = { limits: 'refuse' },
): ConfigDocument => {
  const { text } = source;
  const start = span(0, Math.min(1, text.length));
  const tooLong = limited(options, () => overLimit('length', text.length, start));
  if (options.limits === 'refuse' && tooLong.length > 0) return unreadDocument(source, tooLong);
  return options.as === undefined && startsWithBrace(text)
    ? parseJson(source, options, tooLong)
    : parseYaml(source, options, tooLong);
};

/** Leading white space, as Go defines it, is ignored. */
const startsWithBrace = (text: string): boolean =>
  /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*\{/.test(text);

const unreadDocument = (
  source: SourceFile,
  diagnostics: readonly Diagnostic[],
): ConfigDocument => ({
  source,
  format: startsWithBrace(source.text) ? 'json' : 'yaml',
  root: undefined,
  data: undefined,
  comments: [],
  failure: undefined,
  strictErrors: [],
  diagnostics,
});

const parseJson = (
  source: SourceFile,
  options: ParseOptions,
  tooLong: readonly Diagnostic[],
): ConfigDocument => {
  const loaded = loadJson(source.text);
  if (loaded.kind === 'error') {
    const tree = tolerantTree(source.text);
    const problem = loaded.error;
    const end = Math.min(loaded.offset + 1, source.text.length);
    const where = span(Math.min(loaded.offset, Math.max(0, end - 1)), end);
    const canRead = (text: string): boolean => loadJson(text).kind === 'data';
    const syntaxError = withSyntaxFixes(diagnosticOf(jsonSyntax, where, { problem }), () =>
      jsonFixes({ text: source.text, offsets: [loaded.offset], canRead }),
    );
    return {
      ...unreadDocument(source, [...tooLong, syntaxError]),
      root: tree,
      data: loadTree(tree).data,
      failure: problem,
    };
  }
  const place = firstLine(source, loaded.data.span);
  const limits = limited(options, () => [
    ...overLimit('depth', loaded.maxDepth, place),
    ...overLimit('expandedNodes', loaded.nodes, place),
    ...overLimit('scalarLength', loaded.maxStringLength, place),
  ]);
  const exceeded = [...tooLong, ...limits];
  if (options.limits === 'refuse' && exceeded.length > 0) return unreadDocument(source, exceeded);
  return { ...unreadDocument(source, exceeded), data: loaded.data };
};

/**
 * Returns the diagnostics of exceeded limits: none without limits, warnings if limits only warn.
 */
const limited = (
  options: ParseOptions,
  find: () => readonly Diagnostic[],
): readonly Diagnostic[] => {
  if (options.limits === 'none') return [];
  return options.limits === 'warn' ? find().map(asWarning) : find();
};

const parseYaml = (
  source: SourceFile,
  options: ParseOptions,
  tooLong: readonly Diagnostic[],
): ConfigDocument => {
  const tokens = new TokenStream(source.text);
  const { comments } = tokens;
  const maxNodes = documentLimits.expandedNodes;
  try {
    const built = composeTree(tokens, options.limits === 'none' ? undefined : maxNodes);
    const place = firstLine(source, built.root?.span ?? span(0, 0));
    // A tree with this many nodes is never built, whatever the other limits do.
    if (built.tooManyNodes)
      return {
        ...unreadDocument(source, overLimit('expandedNodes', maxNodes + 1, place)),
        comments,
      };
    const limits = limited(options, () => [
      ...overLimit('depth', built.maxDepth, place),
      ...overLimit('aliases', built.aliases.length, built.aliases.at(-1)?.span ?? place),
      ...overLimit('scalarLength', built.maxScalarLength, place),
    ]);
    const exceeded = [...tooLong, ...limits];
    if (options.limits === 'refuse' && exceeded.length > 0)
      return { ...unreadDocument(source, exceeded), comments };
    return loadedDocument(source, { root: built.root, comments, limits: exceeded, options });
  } catch (problem) {
    if (!(problem instanceof YamlError)) throw problem;
    return brokenDocument(source, problem, comments);
  }
};

interface ReadTree {
  readonly root: YamlNode | undefined;
  readonly comments: readonly Span[];
  readonly limits: readonly Diagnostic[];
  readonly options: ParseOptions;
}

/** Further duplicate keys are part of the error message, but have no diagnostic of their own. */
const maxDuplicates = 100;

const loadedDocument = (
  source: SourceFile,
  { root, comments, limits, options }: ReadTree,
): ConfigDocument => {
  const loaded = loadTree(root);
  const where = firstLine(source, root?.span ?? span(0, 0));
  const expanded = limited(options, () => overLimit('expandedNodes', loaded.expandedNodes, where));
  const failure = loaded.failure;
  return {
    source,
    format: 'yaml',
    root,
    data: loaded.data,
    comments,
    failure: failure?.message,
    strictErrors: strictErrors(loaded),
    diagnostics: [
      ...limits,
      ...expanded,
      ...(failure === undefined
        ? []
        : [diagnosticOf(yamlSyntax, failure.span, { problem: failure.message })]),
      ...loaded.duplicates.slice(0, maxDuplicates).map((duplicate) =>
        diagnosticOf(
          duplicateKey,
          duplicate.keySpan,
          { problem: duplicate.message },
          {
            related: [{ span: duplicate.firstSpan, message: 'first set here' }],
            fixes: repeatedLineFix(source.text, duplicate.firstSpan, duplicate.keySpan),
          },
        ),
      ),
    ],
  };
};

const strictErrors = (loaded: LoadedTree): readonly string[] =>
  loaded.duplicates.length === 0
    ? []
    : [
        `yaml: unmarshal errors:\n  ${loaded.duplicates.map(({ message }) => message).join('\n  ')}`,
      ];

const brokenDocument = (
  source: SourceFile,
  problem: YamlError,
  comments: readonly Span[],
): ConfigDocument => {
  const tree = tolerantTree(source.text);
  const message = `yaml: ${problem.reason}`;
  return {
    ...unreadDocument(source, []),
    root: tree,
    data: loadTree(tree).data,
    comments,
    failure: message,
    diagnostics: [
      withSyntaxFixes(
        diagnosticOf(
          yamlSyntax,
          span(problem.start, problem.end),
          { problem: message },
          { related: contextSpan(problem, source.text.length) },
        ),
        () =>
          yamlFixes({
            text: source.text,
            offsets: [problem.start, problem.contextStart ?? problem.start],
            canRead: isReadable,
          }),
      ),
    ],
  };
};

const isReadable = (text: string): boolean => {
  try {
    composeTree(new TokenStream(text), documentLimits.expandedNodes);
    return true;
  } catch (problem) {
    if (!(problem instanceof YamlError)) throw problem;
    return false;
  }
};

const contextSpan = ({ contextStart, start }: YamlError, length: number) =>
  contextStart === undefined || contextStart >= start
    ? []
    : [
        {
          span: span(contextStart, Math.min(contextStart + 1, length)),
          message: 'the error starts here',
        },
      ];

const firstLine = (source: SourceFile, where: Span): Span => {
  const { line } = source.positionAt(where.start);
  return span(
    where.start,
    Math.max(where.start, Math.min(where.end, where.start + source.lineText(line).length)),
  );
};
