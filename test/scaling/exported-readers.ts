/**
 * Finds the exported functions, and the methods of exported classes, that accept text or bytes in
 * any parameter: as a string, in a list or map of strings, or in an object that carries them. The
 * syntax tree of the files is enough for that.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { sourcesBelow } from '../support/patterns/source-patterns.ts';
import {
  membersOf,
  type SourceMember,
  type SourceType,
  type SyntaxNode,
  sourceType,
} from './source-types.ts';

export interface ExportedReader {
  /** The path relative to the root. */
  readonly file: string;
  /** `parse`, or `FrameReader.read` for a method. */
  readonly name: string;
  readonly parameters: readonly ReaderParameter[];
}

export interface ReaderParameter {
  readonly type: SourceType;
  readonly isRequired: boolean;
}

export interface ExportedReaders {
  readonly readers: readonly ExportedReader[];
  /** The interfaces, type aliases and classes of all files. */
  readonly types: ReadonlyMap<string, SourceType>;
  /** Files that cannot be loaded outside of VS Code. */
  readonly vscodeFiles: ReadonlySet<string>;
}

/** Types without a member of bytes that carry untrusted text nevertheless. */
const textTypes = new Set([
  'DraftToken',
  'ExpressionRequest',
  'Field',
  'HeaderField',
  'HeaderList',
  'KeyFile',
  'KubeconfigSource',
  'LiteralBlock',
  'OidcFlags',
  'ParsedExpression',
  'RawRequest',
  'RoleFile',
  'Secret',
  'SourceFile',
  'Target',
  'TextDocument',
  'TokenParts',
  'WebhookTokenSource',
]);

/** Returns the readers in the folders, sorted by file. */
export const exportedReaders = (root: string, folders: readonly string[]): ExportedReaders => {
  const files = folders.flatMap((folder) => sourcesBelow(root, folder));
  const programs = new Map(files.map((file) => [file, parseFile(root, file)]));
  const types = new Map([...programs.values()].flatMap((body) => body.flatMap(declaredTypes)));
  const readers = [...programs].flatMap(([file, body]) =>
    body.flatMap((statement) => functionsOf(file, statement)),
  );
  return {
    readers: readers.filter(({ parameters }) =>
      parameters.some(({ type }) => carriesText(type, types)),
    ),
    types,
    vscodeFiles: importersOf('vscode', programs),
  };
};

const parseFile = (root: string, file: string): readonly SyntaxNode[] => {
  const tree = parseAst(readFileSync(join(root, file), 'utf8'), { lang: 'ts' });
  const program: { readonly body: readonly SyntaxNode[] } = JSON.parse(
    JSON.stringify(tree, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
  );
  return program.body;
};

const declaredTypes = (statement: SyntaxNode): readonly (readonly [string, SourceType])[] => {
  const declared = statement.declaration ?? statement;
  const name = declared.id?.name;
  if (name === undefined) return [];
  if (declared.type === 'TSTypeAliasDeclaration')
    return [[name, sourceType(declared.typeAnnotation)]];
  if (declared.type !== 'TSInterfaceDeclaration') return [];
  return [[name, { kind: 'object', members: membersOf(itemsOf(declared.body)) }]];
};

const itemsOf = (body: SyntaxNode['body']): readonly SyntaxNode[] => {
  const inner = body !== undefined && 'type' in body ? body.body : body;
  return inner !== undefined && !('type' in inner) ? inner : [];
};

const functionsOf = (
  file: string,
  { type, declaration }: SyntaxNode,
): readonly ExportedReader[] => {
  if (type !== 'ExportNamedDeclaration') return [];
  const name = declaration?.id?.name ?? '';
  switch (declaration?.type) {
    case 'FunctionDeclaration':
      return [{ file, name, parameters: parametersOf(declaration.params) }];
    case 'VariableDeclaration':
      return (declaration.declarations ?? []).flatMap(({ id, init }) =>
        init?.params === undefined
          ? []
          : [{ file, name: id?.name ?? '', parameters: parametersOf(init.params) }],
      );
    case 'ClassDeclaration':
      return itemsOf(declaration.body).flatMap(({ type: member, key, value }) =>
        member === 'MethodDefinition' && key?.type === 'Identifier'
          ? [
              {
                file,
                name: `${name}.${key.name}`,
                parameters: parametersOf((value as SyntaxNode).params),
              },
            ]
          : [],
      );
    default:
      return [];
  }
};

const parametersOf = (params: readonly SyntaxNode[] = []): readonly ReaderParameter[] =>
  params.map((param) => {
    const written = param.parameter ?? param;
    const target = written.left ?? written.argument ?? written;
    const annotation = written.typeAnnotation ?? target.typeAnnotation;
    return {
      type: sourceType(annotation?.typeAnnotation),
      isRequired: !written.optional && written.type !== 'AssignmentPattern',
    };
  });

const carriesText = (type: SourceType, types: ReadonlyMap<string, SourceType>): boolean => {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return true;
    case 'list':
    case 'set':
    case 'map':
      return carriesText(type.item, types);
    case 'union':
      return type.types.some((one) => carriesText(one, types));
    case 'object':
      return type.members.some((member) => isText(member.type));
    case 'named':
      return textTypes.has(type.name) || hasBytes(types.get(type.name));
    default:
      return false;
  }
};

const isText = (type: SourceType): boolean =>
  type.kind === 'string' ||
  type.kind === 'bytes' ||
  (type.kind === 'union' && type.types.some(isText)) ||
  ('item' in type && isText(type.item));

const hasBytes = (type: SourceType | undefined): boolean =>
  type?.kind === 'object' &&
  type.members.some(({ type: member }: SourceMember) => member.kind === 'bytes');

/** Returns the files that import a module at runtime, directly or through other files. */
const importersOf = (
  module: string,
  programs: ReadonlyMap<string, readonly SyntaxNode[]>,
): ReadonlySet<string> => {
  const imports = new Map(
    [...programs].map(([file, body]) => [
      file,
      body.flatMap(({ type, source, importKind }) =>
        type.endsWith('Declaration') && source != null && importKind !== 'type'
          ? [source.value.startsWith('.') ? join(dirname(file), source.value) : source.value]
          : [],
      ),
    ]),
  );
  const importers = new Set<string>();
  for (let size = -1; size !== importers.size; ) {
    size = importers.size;
    for (const [file, imported] of imports)
      if (imported.some((name) => name === module || importers.has(name))) importers.add(file);
  }
  return importers;
};
