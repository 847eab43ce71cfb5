/**
 * Everything that follows from a single entry of `jwt`: the decoded entry, its compiled
 * expressions, its findings and its node. An entry is analyzed once and the result is reused while
 * its lines stay the same, wherever they move. All positions refer to the entry's own text.
 */
import { compileJwt } from '../authenticators/jwt/compile.ts';
import type { JwtNode } from '../authenticators/jwt/node.ts';
import type { ConfigVersion, JwtAuthenticatorConfig } from '../config/configuration.ts';
import { type DecodingFindings, decodeItem } from '../config/decode-struct.ts';
import { expressionsOfEntry } from '../config/expressions.ts';
import { readEntry } from '../config/read-configuration.ts';
import { type ValidationContext, validateEntry } from '../config/validate.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { ListItem } from '../documents/yaml/list-items.ts';
import { once } from '../source/once.ts';
import type { PositionMap } from '../source/position-map.ts';
import {
  type CachedExpression,
  compileCached,
  type WritableExpressionCache,
} from './compile-expressions.ts';
import { type CompileSettings, signingAlgorithms } from './settings.ts';

export interface EntryExpression extends CachedExpression {
  /** Path of the field within its entry, for example `.claimMappings.username.expression`. */
  readonly path: string;
  readonly map: PositionMap;
}

export interface EntryAnalysis {
  readonly item: ListItem;
  readonly index: number;
  /** Shared by the analyses of one item that differ only in their index. */
  readonly identity: object;
  readonly decoding: DecodingFindings;
  readonly entry: JwtAuthenticatorConfig;
  readonly expressions: readonly EntryExpression[];
  /** Findings of the rules that look at a single entry. */
  readonly findings: readonly Diagnostic[];
  /** Builds the node; only called for an entry without errors. */
  readonly node: () => JwtNode;
}

export interface EntryContext {
  readonly version: ConfigVersion;
  readonly settings: CompileSettings;
  readonly cache: WritableExpressionCache;
  readonly validation: Omit<ValidationContext, 'place' | 'expressionAt' | 'unread'>;
}

/**
 * Analyzes an entry. `previous` is the analysis of the same item at another index; messages and ids
 * contain the index.
 */
export const analyzeEntry = (
  {
    item,
    index,
    previous,
  }: Pick<EntryAnalysis, 'item' | 'index'> & { readonly previous?: EntryAnalysis | undefined },
  context: EntryContext,
): EntryAnalysis => {
  const { version, settings, cache, validation } = context;
  const { source } = item;
  const { targetRelease: release } = settings;
  const form = { version, release, order: 'sorted', text: source.text } as const;
  const { decoded, ...decoding } = decodeItem(item.data, index, form);
  const entry = readEntry(decoded);
  const at = `jwt[${index}]`;
  const expressions = expressionsOfEntry(entry, at).map((wanted) => ({
    path: wanted.path.slice(at.length),
    ...compileCached(wanted, settings.targetRelease, cache),
    map: wanted.text.map,
  }));
  const byPath = new Map(expressions.map((expression) => [at + expression.path, expression]));
  return {
    item,
    index,
    identity: previous?.identity ?? {},
    decoding,
    entry,
    expressions,
    findings: validateEntry(entry, at, {
      ...validation,
      place: { source, format: 'yaml' },
      expressionAt: (path) => byPath.get(path),
      unread: decoding.unread,
    }),
    node: once(() =>
      compileJwt(entry, {
        path: at,
        signingAlgorithms: settings.signingAlgorithms ?? signingAlgorithms,
        expressionAt: (path) => byPath.get(path)?.compilation,
      }),
    ),
  };
};
