/**
 * One entry of the configuration as a node, also where another entry has errors, or the entry itself:
 * previews show what is understood while the text is being written. Never used to let anybody in.
 */
import { compileAnonymous } from '../authenticators/anonymous/compile.ts';
import { compileJwt } from '../authenticators/jwt/compile.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { apiDomains, configGroup, kubernetesDomain } from '../model/api-domain.ts';
import { contains } from '../source/span.ts';
import type { Compilation } from './compile.ts';
import type { AuthenticatorGraph, AuthenticatorNode } from './graph.ts';
import { signingAlgorithms } from './settings.ts';

export interface EntryNode {
  /** With errors in the entry: as much as was understood; what an error left out is empty. */
  readonly node: AuthenticatorNode;
  /** The errors that stand in the entry. */
  readonly errors: readonly Diagnostic[];
}

/** `undefined` where there is no such entry. The same compilation gives the same value. */
export const entryNode = (compilation: Compilation, index: number): EntryNode | undefined => {
  const cachedEntries = entryNodeCache.get(compilation) ?? new Map<number, EntryNode>();
  entryNodeCache.set(compilation, cachedEntries);
  const entry = cachedEntries.get(index) ?? createEntryNode(compilation, index);
  if (entry !== undefined) cachedEntries.set(index, entry);
  return entry;
};

/** The entries without errors as a graph, whatever stands in the others; ids stay those of the file. */
export const graphOfValidEntries = (compilation: Compilation): AuthenticatorGraph | undefined => {
  const { graph, configuration, settings } = compilation;
  if (graph !== undefined || configuration === undefined) return graph;
  return {
    apiDomain: draftDomain(compilation),
    targetRelease: settings.targetRelease,
    nodes: configuration.jwt.flatMap((_, index) => {
      const entry = entryNode(compilation, index);
      return entry === undefined || entry.errors.length > 0 ? [] : [entry.node];
    }),
    anonymous: compileAnonymous(configuration.anonymous, settings.anonymousAuth),
  };
};

/** The domain of reserved names, also before there is a graph. */
export const draftDomain = ({ configuration, document, settings }: Compilation): string => {
  const configured = settings.exact ? undefined : settings.apiDomain;
  if (configured !== undefined) return configured;
  if (document.failure === undefined && configuration !== undefined) return configuration.domain;
  // Of broken text the version may not have been understood, though it stands there.
  const { text } = document.source;
  return apiDomains.find((domain) => text.includes(`${configGroup(domain)}/`)) ?? kubernetesDomain;
};

const entryNodeCache = new WeakMap<Compilation, Map<number, EntryNode>>();

const createEntryNode = (compilation: Compilation, index: number): EntryNode | undefined => {
  const { configuration, graph, settings, expressions, diagnostics } = compilation;
  const entry = configuration?.jwt[index];
  if (entry === undefined) return undefined;
  const node = graph?.nodes[index];
  if (node !== undefined) return { node, errors: [] };
  return {
    node: compileJwt(entry, {
      path: `jwt[${index}]`,
      signingAlgorithms: settings.signingAlgorithms ?? signingAlgorithms,
      expressionAt: (path) => expressions.get(path)?.compilation,
    }),
    errors: diagnostics.filter(
      ({ severity, span }) => severity === 'error' && contains(entry.span, span),
    ),
  };
};
