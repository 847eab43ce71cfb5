/**
 * Makes docs/engine-api.md from the declarations and doc comments of what the package
 * `@authgraph/engine` exports.
 */
import { join } from 'node:path';
import {
  API,
  type Checker,
  type Symbol as ExportedSymbol,
  NodeBuilderFlags,
  type Project,
  SymbolFlags,
} from 'typescript/unstable/sync';

const project = join(import.meta.dirname, '../../engine/tsconfig.json');

/** The entry points for programs. `@authgraph/engine/language` serves the editor and is not stable. */
const entryPoints = [
  { name: '@authgraph/engine', file: 'index.ts', use: 'compiles configurations and authenticates' },
  { name: '@authgraph/engine/node', file: 'node.ts', use: 'the ports for Node, and the server' },
  { name: '@authgraph/engine/signature', file: 'signature.ts', use: 'verifies single signatures' },
];

interface Entry {
  readonly name: string;
  readonly comment: string;
  /** Code of the `@example` tag. */
  readonly example: string | undefined;
  readonly declaration: string;
}

/** Generates the page. */
export const engineApiPage = (): string => {
  const api = new API({ cwd: join(import.meta.dirname, '../..') });
  try {
    const opened = api.updateSnapshot({ openProjects: [project] }).getProject(project);
    if (opened === undefined) throw new Error(`${project} cannot be opened`);
    return `${[head, ...entryPoints.map((point) => section(point, opened))].join('\n\n')}\n`;
  } finally {
    api.close();
  }
};

const head = `# API of @authgraph/engine

After reading this page you can use the library to compile an \`AuthenticationConfiguration\`, link the resulting graph
to its ports, and authenticate requests. [README.md](../README.md) has a complete program. Types that are named
here and not described are in \`engine/dist/**/*.d.ts\`, which the package contains.

This page is made from the declarations and their comments by \`npm run -s docs\`.`;

const section = ({ name, file, use }: (typeof entryPoints)[number], opened: Project): string => {
  const source = opened.program.getSourceFile(join(project, '../src/doors', file));
  const module = source && opened.checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} is not a module of the project`);
  const entries = opened.checker
    .getExportsOfModule(module)
    .map((symbol) => entryOf(symbol, opened))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return [`## ${name}`, `This entry point ${use}.`, ...entries.map(print)].join('\n\n');
};

const entryOf = (symbol: ExportedSymbol, opened: Project): Entry => {
  const { checker } = opened;
  const target =
    (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  const example = target.getJsDocTags(checker).find((tag) => tag.name === 'example');
  return {
    name: symbol.name,
    comment: target.getDocumentationComment(checker),
    example: example?.text,
    declaration: declarationOf(symbol.name, target, opened),
  };
};

/** Returns the declaration of a type, or the type of a value; a class without what it executes. */
const declarationOf = (name: string, symbol: ExportedSymbol, opened: Project): string => {
  const { checker } = opened;
  if ((symbol.flags & SymbolFlags.Variable) !== 0) {
    return `const ${name}: ${typeOf(symbol, checker)};`;
  }
  if ((symbol.flags & SymbolFlags.Class) !== 0) {
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    const members = checker
      .getPropertiesOfType(type)
      .filter((member) => !member.name.startsWith('#') && !member.name.startsWith('__'))
      .map((member) => `  ${member.name}: ${typeOf(member, checker)};\n`);
    return `class ${checker.typeToString(type)} {\n${members.join('')}}`;
  }
  const declarations = symbol.declarations.map((handle) => handle.resolve(opened));
  return declarations.map((node) => node?.getText().replace(/^export /, '') ?? '').join('\n');
};

const typeOf = (symbol: ExportedSymbol, checker: Checker): string => {
  const type = checker.getTypeOfSymbol(symbol);
  return type === undefined
    ? 'unknown'
    : checker.typeToString(type, undefined, NodeBuilderFlags.NoTruncation);
};

const print = ({ name, comment, example, declaration }: Entry): string =>
  [
    `### ${name}`,
    ...(comment === '' ? [] : [comment]),
    `\`\`\`ts\n${declaration}\n\`\`\``,
    ...(example === undefined ? [] : [`Example:`, example]),
  ].join('\n\n');
