/** Finds the places where configurations and samples name claims. */
import {
  type ClaimMention,
  type ClaimPath,
  type Compilation,
  claimFieldsOf,
  claimMentions,
  claimNameSpan,
  claimPathText,
  type DataEntry,
  type DataNode,
  type LocatedString,
  normalizeIssuer,
  oncePer,
  ownClaim,
  type Span,
  span,
  touches,
} from '@authgraph/engine/language';
import type { Sample } from '../samples.ts';
import { type ExpressionInFile, expressionsIn, placeOf } from './placed-expressions.ts';

/** A claim that a configuration names. */
export interface NamedClaim {
  readonly path: ClaimPath;
  /** The issuer of the entry; `undefined` while the entry does not name one. */
  readonly issuer: string | undefined;
  /** The claim's name in the configuration, without quotes. */
  readonly span: Span;
  readonly occurrence: /** `claim: name` */
    | { readonly kind: 'field'; readonly located: LocatedString }
    | {
        readonly kind: 'expression';
        readonly expression: ExpressionInFile;
        readonly mention: ClaimMention;
      };
}

/** Returns the claims in document order. */
export const claimsIn = oncePer((compilation: Compilation): readonly NamedClaim[] =>
  [...fieldClaims(compilation), ...expressionClaims(compilation)].sort(
    (a, b) => a.span.start - b.span.start,
  ),
);

const fieldClaims = ({ configuration }: Compilation): readonly NamedClaim[] =>
  configuration === undefined
    ? []
    : claimFieldsOf(configuration).map(({ authenticator, claim }) => ({
        path: [{ kind: 'member', name: claim.value }],
        issuer: configuration.jwt[authenticator]?.issuer.url?.value,
        span: placeOf({ located: claim }, span(0, claim.value.length)),
        occurrence: { kind: 'field', located: claim },
      }));

const expressionClaims = (compilation: Compilation): readonly NamedClaim[] =>
  expressionsIn(compilation)
    .filter(({ environment }) => environment === 'claims')
    .flatMap((expression) => {
      const { parsed } = expression.compilation.checked;
      const issuer = compilation.configuration?.jwt[expression.authenticator]?.issuer.url?.value;
      return claimMentions(parsed).map((mention) => ({
        path: mention.path,
        issuer,
        span: placeOf(expression, claimNameSpan(mention, parsed.text)),
        occurrence: { kind: 'expression' as const, expression, mention },
      }));
    });

/** Returns whether two paths lead to the same claim. */
export const samePath = (a: ClaimPath, b: ClaimPath): boolean =>
  a.length === b.length && claimPathText(a) === claimPathText(b);

/**
 * Returns the members of a sample at a path. There are several if the path goes through the items
 * of a list.
 */
export const membersAt = (
  { document }: Pick<Sample, 'document'>,
  path: ClaimPath,
): readonly DataEntry[] => {
  if (document?.data === undefined) return [];
  return path
    .reduce<readonly Reached[]>(
      (reached, step) =>
        reached.flatMap(({ node }) =>
          step.kind === 'item' ? itemsOf(node) : memberOf(node, step.name),
        ),
      [{ node: document.data, entry: undefined }],
    )
    .flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
};

interface Reached {
  readonly node: DataNode;
  readonly entry: DataEntry | undefined;
}

const memberOf = (node: DataNode, name: string): readonly Reached[] => {
  const entry = node.kind === 'object' ? node.byKey.get(name) : undefined;
  return entry === undefined ? [] : [{ node: entry.value, entry }];
};

const itemsOf = (node: DataNode): readonly Reached[] => {
  if (node.kind === 'array') return node.items.map((item) => ({ node: item, entry: undefined }));
  if (node.kind !== 'object') return [];
  return [...node.byKey.values()].map((entry) => ({ node: entry.value, entry: undefined }));
};

export interface MemberAt {
  readonly path: ClaimPath;
  readonly entry: DataEntry;
  /** Whether the offset is in the member's name rather than in its value. */
  readonly onName: boolean;
}

/** Returns the innermost claim of a sample around an offset. */
export const memberAround = ({ document }: Sample, offset: number): MemberAt | undefined => {
  let node: DataNode | undefined = document?.data;
  let path: ClaimPath = [];
  let innermost: MemberAt | undefined;
  while (node !== undefined) {
    const next = childAround(node, offset);
    if (next === undefined) return innermost;
    path = [...path, next.step];
    if (next.entry !== undefined) {
      innermost = { path, entry: next.entry, onName: touches(next.entry.keySpan, offset) };
      if (innermost.onName) return innermost;
    }
    node = next.node;
  }
  return innermost;
};

const childAround = (
  node: DataNode,
  offset: number,
):
  | {
      readonly step: ClaimPath[number];
      readonly node: DataNode;
      readonly entry: DataEntry | undefined;
    }
  | undefined => {
  if (node.kind === 'array') {
    const item = node.items.find((candidate) => touches(candidate.span, offset));
    return item && { step: { kind: 'item' }, node: item, entry: undefined };
  }
  if (node.kind !== 'object') return undefined;
  const entry = node.entries.find(
    ({ keySpan, value }) => touches(keySpan, offset) || touches(value.span, offset),
  );
  return entry && { step: { kind: 'member', name: entry.key }, node: entry.value, entry };
};

/** Returns the issuer that a sample names. */
export const issuerOf = ({ claims }: Sample): string | undefined => {
  const issuer = ownClaim(claims, 'iss');
  return typeof issuer === 'string' ? normalizeIssuer(issuer) : undefined;
};

/** Returns whether two issuers may be the same; an unknown issuer may be any. */
export const mayShareIssuer = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined || a === b;
