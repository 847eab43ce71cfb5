/** Bundles the program of the executables into one file, and each module that runs on a thread into another one. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from 'rolldown';

export interface Bundle {
  /** CommonJS. */
  readonly program: string;
  /** Text by the name under which the program reads it. */
  readonly assets: ReadonlyMap<string, string>;
  /** Folders of the packages in the bundles. */
  readonly packages: readonly string[];
}

/** Bundles the sources of a tree whose packages are installed. */
export const bundleProgram = async (source: string): Promise<Bundle> => {
  const program = await bundleFile(join(source, entry), {
    input: { platform: 'node', plugins: [substitutes(source)] },
    format: 'cjs',
  });
  const packages = new Set(program.packages);
  const assets = new Map<string, string>();
  for (const path of threadModules(source)) {
    const thread = await bundleFile(path, { input: {}, format: 'esm' });
    assets.set(`threads/${basename(path, '.ts')}.js`, thread.code);
    for (const folder of thread.packages) packages.add(folder);
  }
  for (const path of documents(source)) assets.set(path, readFileSync(join(source, path), 'utf8'));
  return { program: program.code, assets, packages: [...packages].sort() };
};

const entry = 'deploy/release/executables/entry.ts';

/** Returns the modules that the program starts on a thread: those that a call of `threadUrl` names. */
const threadModules = (source: string): readonly string[] => {
  const folder = join(source, 'engine/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const modules = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return [...text.matchAll(/\bthreadUrl\('([\w-]+)', import\.meta\.url\)/g)].map(([, name]) =>
      join(folder, dirname(file), `${name}.ts`),
    );
  });
  return [...modules, join(source, 'deploy/release/executables/analysis-thread.ts')].sort();
};

/** Files that the program reads with `readPackageFile`. */
const documents = (source: string): readonly string[] => [
  ...readdirSync(join(source, 'docs/diagnostics'))
    .sort()
    .map((name) => `docs/diagnostics/${name}`),
  'samples/demo/authentication.yaml',
];

/** Modules that need files next to the program. The file of the same name in this folder replaces each. */
const replaced = [
  'engine/src/cli/language-server.ts',
  'engine/src/cli/package-file.ts',
  'engine/src/node/thread-url.ts',
];

const substitutes = (source: string): Plugin => {
  const files = new Map(
    replaced.map((path) => [
      join(source, path),
      join(source, 'deploy/release/executables', basename(path)),
    ]),
  );
  return {
    name: 'substitutes',
    async resolveId(id, importer) {
      const resolved = await this.resolve(id, importer, { skipSelf: true });
      const file = files.get(resolved?.id ?? '');
      // The substitutes import types of what they replace.
      return file === undefined || file === importer ? null : file;
    },
  };
};

interface BundleOptions {
  readonly input: InputOptions;
  readonly format: 'cjs' | 'esm';
}

/** Returns the code of one file with everything that it imports. */
const bundleFile = async (
  path: string,
  { input, format }: BundleOptions,
): Promise<{ readonly code: string; readonly packages: readonly string[] }> => {
  const bundle = await rolldown({
    ...input,
    input: path,
    external: [/^node:/],
    resolve: { conditionNames: ['source', 'node', 'import', 'default'] },
    transform: { target: 'node26' },
  });
  const output: OutputOptions = { format, minify: true, codeSplitting: false };
  const { output: chunks } = await bundle.generate(output);
  await bundle.close();
  const [chunk] = chunks;
  // The URL of a thread's module is no file, so it can neither find files nor load modules.
  if (format === 'esm' && /\bimport\.meta\b/.test(chunk.code))
    throw new Error(`${path}: a module that runs on a thread of an executable uses import.meta`);
  if (chunks.length !== 1) throw new Error(`${path}: the bundle has ${chunks.length} files, not 1`);
  return { code: chunk.code, packages: chunk.moduleIds.flatMap(packageOf) };
};

/** Returns the folder of the package of a module; none for a module of this repository. */
const packageOf = (id: string): readonly string[] => {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [];
  return folder === undefined ? [] : [folder.replaceAll('\0', '')];
};
