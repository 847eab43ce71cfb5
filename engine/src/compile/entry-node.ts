/**
 * Nodes of single entries, even when the configuration has errors: previews show what is understood
 * while the text is being written. These nodes are never used to authenticate requests.
 */
import { compileAnonymous } from '../authenticators/anonymous/compile.ts';
import { compileJwt } from '../authenticators/jwt/compile.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import {
  apiDomains,
  configGroup,
  kubernetesDomain,
  tokenCredentialIdKey,
} from '../model/api-domain.ts';
import { contains } from '../source/span.ts';
import type { Compilation } from './compile.ts';
import type { AuthenticatorGraph, AuthenticatorNode } from './graph.ts';
import type { InvalidEntry } from './graph-lanes.ts';
import { signingAlgorithms } from './settings.ts';

export interface EntryNode {
  /** The node. If the entry has errors, it holds what was understood; wrong fields are empty. */
  readonly node: AuthenticatorNode;
  /** The errors inside the entry. */
  readonly errors: readonly Diagnostic[];
}

/**
 * Returns the entry at an index; `undefined` if there is none. The same compilation returns the
 * same object.
 */
export const entryNode = (compilation: Compilation, index: number): EntryNode | undefined => {
  const cachedEntries = entryNodeCache.get(compilation) ?? new Map<number, EntryNode>();
  entryNodeCache.set(compilation, cachedEntries);
  const entry = cachedEntries.get(index) ?? createEntryNode(compilation, index);
  if (entry !== undefined) cachedEntries.set(index, entry);
  return entry;
};

/**
 * Returns a graph of the entries without errors. The nodes keep the ids that they have in the file.
 */
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

/** Returns the entries that `graphOfValidEntries` leaves out. */
export const invalidEntries = (compilation: Compilation): readonly InvalidEntry[] => {
  const { graph, configuration } = compilation;
  if (graph !== undefined || configuration === undefined) return [];
  return configuration.jwt.flatMap((_, index) => {
    const entry = entryNode(compilation, index);
    if (entry === undefined || entry.errors.length === 0) return [];
    const errors = entry.errors.map(({ message }) => message);
    return [{ index, issuerUrl: entry.node.issuerUrl, errors }];
  });
};

/** Returns the API domain of reserved names, even if there is no graph yet. */
export const draftDomain = ({ configuration, document, settings }: Compilation): string => {
  const configured = settings.exact ? undefined : settings.apiDomain;
  if (configured !== undefined) return configured;
  if (document.failure === undefined && configuration !== undefined) return configuration.domain;
  // The version in a broken file may not have been parsed, although it is in the text.
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

/** Returns the name of the user's extra for the token's ID, even if there is no graph yet. */
export const draftCredentialIdKey = (compilation: Compilation): string | undefined =>
  tokenCredentialIdKey(draftDomain(compilation), compilation.settings.targetRelease);
