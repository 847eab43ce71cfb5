/** The types that parameters have in the syntax tree, as far as arguments depend on them. */

export type SourceType =
  | { readonly kind: 'string' | 'bytes' | 'number' | 'boolean' | 'function' | 'null' | 'unknown' }
  | { readonly kind: 'literal'; readonly value: unknown }
  | { readonly kind: 'list' | 'set' | 'map'; readonly item: SourceType }
  | { readonly kind: 'object'; readonly members: readonly SourceMember[] }
  | { readonly kind: 'union'; readonly types: readonly SourceType[] }
  /** An interface, a type alias or a class. */
  | { readonly kind: 'named'; readonly name: string };

export interface SourceMember {
  readonly name: string;
  readonly type: SourceType;
  readonly isOptional: boolean;
}

/** A node of the syntax tree, with the members that this folder reads. */
export interface SyntaxNode {
  readonly type: string;
  readonly name?: string;
  readonly kind?: string;
  readonly value?: unknown;
  readonly optional?: boolean;
  readonly importKind?: string;
  readonly source?: { readonly value: string } | null;
  readonly id?: SyntaxNode;
  readonly key?: SyntaxNode;
  readonly init?: SyntaxNode;
  readonly left?: SyntaxNode;
  readonly argument?: SyntaxNode;
  readonly parameter?: SyntaxNode;
  readonly literal?: SyntaxNode;
  readonly body?: SyntaxNode | readonly SyntaxNode[];
  readonly params?: readonly SyntaxNode[];
  readonly members?: readonly SyntaxNode[];
  readonly types?: readonly SyntaxNode[];
  readonly elementTypes?: readonly SyntaxNode[];
  readonly elementType?: SyntaxNode;
  readonly declaration?: SyntaxNode;
  readonly declarations?: readonly SyntaxNode[];
  readonly typeAnnotation?: SyntaxNode;
  readonly typeArguments?: SyntaxNode;
  readonly typeName?: SyntaxNode;
}

const keywords: ReadonlyMap<string, SourceType> = new Map([
  ['TSStringKeyword', { kind: 'string' }],
  ['TSNumberKeyword', { kind: 'number' }],
  ['TSBooleanKeyword', { kind: 'boolean' }],
  ['TSFunctionType', { kind: 'function' }],
  ['TSNullKeyword', { kind: 'null' }],
  ['TSUndefinedKeyword', { kind: 'null' }],
]);

const containers: ReadonlyMap<string, 'list' | 'set' | 'map'> = new Map([
  ['Array', 'list'],
  ['ReadonlyArray', 'list'],
  ['Iterable', 'list'],
  ['Set', 'set'],
  ['ReadonlySet', 'set'],
  ['Map', 'map'],
  ['ReadonlyMap', 'map'],
]);

const byteTypes = new Set(['Uint8Array', 'Buffer']);
const transparent = new Set(['Readonly', 'Partial']);

export const sourceType = (node: SyntaxNode | undefined): SourceType => {
  switch (node?.type) {
    case 'TSTypeOperator':
      return sourceType(node.typeAnnotation);
    case 'TSArrayType':
      return { kind: 'list', item: sourceType(node.elementType) };
    case 'TSTupleType':
      return { kind: 'list', item: sourceType(node.elementTypes?.[0]) };
    case 'TSUnionType':
    case 'TSIntersectionType':
      return { kind: 'union', types: (node.types ?? []).map(sourceType) };
    case 'TSLiteralType':
      return { kind: 'literal', value: node.literal?.value };
    case 'TSTypeLiteral':
      return { kind: 'object', members: membersOf(node.members ?? []) };
    case 'TSTypeReference':
      return referencedType(node);
    default:
      return keywords.get(node?.type ?? '') ?? { kind: 'unknown' };
  }
};

export const membersOf = (nodes: readonly SyntaxNode[]): readonly SourceMember[] =>
  nodes.flatMap(({ type, key, optional, typeAnnotation }) =>
    type === 'TSPropertySignature' && key?.name !== undefined
      ? [
          {
            name: key.name,
            type: sourceType(typeAnnotation?.typeAnnotation),
            isOptional: optional === true,
          },
        ]
      : [],
  );

const referencedType = ({ typeName, typeArguments }: SyntaxNode): SourceType => {
  const name = typeName?.name ?? '';
  const values = typeArguments?.params ?? [];
  const container = containers.get(name);
  if (byteTypes.has(name)) return { kind: 'bytes' };
  if (transparent.has(name)) return sourceType(values[0]);
  return container === undefined
    ? { kind: 'named', name }
    : { kind: container, item: sourceType(values.at(-1)) };
};
