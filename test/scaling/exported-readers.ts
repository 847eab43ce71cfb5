/**
 * Finds the exported functions of source files whose first parameter is a string or bytes, from the
 * syntax tree of the files.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { sourcesBelow } from '../support/patterns/source-patterns.ts';

export interface ExportedReader {
  /** The path relative to the root. */
  readonly file: string;
  readonly name: string;
  readonly inputType: 'string' | 'bytes';
  /** The number of required parameters. */
  readonly required: number;
}

interface SyntaxNode {
  readonly type: string;
  readonly name?: string;
  readonly optional?: boolean;
  readonly id?: SyntaxNode;
  readonly init?: SyntaxNode;
  readonly left?: SyntaxNode;
  readonly params?: readonly SyntaxNode[];
  readonly declaration?: SyntaxNode;
  readonly declarations?: readonly SyntaxNode[];
  readonly typeAnnotation?: SyntaxNode;
  readonly typeName?: SyntaxNode;
  readonly types?: readonly SyntaxNode[];
}

/** Returns the readers in the folders, sorted. */
export const exportedReaders = (
  root: string,
  folders: readonly string[],
): readonly ExportedReader[] =>
  folders.flatMap((folder) => sourcesBelow(root, folder)).flatMap((file) => readersOf(root, file));

const readersOf = (root: string, file: string): readonly ExportedReader[] => {
  const program: { readonly body: readonly SyntaxNode[] } = JSON.parse(
    JSON.stringify(parseAst(readFileSync(join(root, file), 'utf8'), { lang: 'ts' }), (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    ),
  );
  return program.body.flatMap((statement) => {
    const declared =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined;
    const functions =
      declared?.type === 'FunctionDeclaration'
        ? [{ id: declared.id, params: declared.params }]
        : (declared?.declarations ?? []).map(({ id, init }) => ({ id, params: init?.params }));
    return functions.flatMap(({ id, params = [] }): ExportedReader[] => {
      const inputType = typeOf(params[0]);
      const name = id?.name;
      if (inputType === undefined || name === undefined) return [];
      const required = params.filter(
        ({ type, optional }) => !optional && type !== 'AssignmentPattern',
      );
      return [{ file, name, inputType, required: required.length }];
    });
  });
};

const typeOf = (parameter: SyntaxNode | undefined): ExportedReader['inputType'] | undefined => {
  const written = parameter?.left ?? parameter;
  return inputTypeOf(written?.typeAnnotation?.typeAnnotation);
};

const inputTypeOf = (type: SyntaxNode | undefined): ExportedReader['inputType'] | undefined => {
  if (type?.type === 'TSStringKeyword') return 'string';
  if (type?.type === 'TSUnionType')
    return type.types?.map(inputTypeOf).find((one) => one !== undefined);
  const name = type?.typeName?.name;
  return name === 'Uint8Array' || name === 'Buffer' ? 'bytes' : undefined;
};
