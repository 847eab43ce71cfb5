/**
 * Bundles the extension. The desktop gets a small entry bundle, the code it loads on demand, and
 * the language server; the browser gets one file; each webview gets one script. Bundles are built
 * from the sources, so nothing needs to be built first.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from 'rolldown';

type Host = 'desktop' | 'web' | 'page';

interface Bundle {
  readonly host: Host;
  /** The path in the package. */
  readonly file: string;
  readonly entry: string;
  readonly options: InputOptions;
  /** Whether dynamic imports become separate files. */
  readonly parts?: boolean;
  /** A file in this folder that is prepended to the bundle. */
  readonly prelude?: string;
}

/** Returns the bundled code by its path in the package. */
export const bundle = async (hosts: readonly Host[]): Promise<ReadonlyMap<string, string>> => {
  const files = new Map<string, string>();
  for (const each of bundles.filter(({ host }) => hosts.includes(host))) {
    for (const [file, code] of await codeOf(each)) files.set(file, code);
  }
  return files;
};

/** Returns one file, or an entry file and the chunks that it loads later. */
const codeOf = async ({
  file,
  host,
  entry,
  options,
  parts = false,
  prelude,
}: Bundle): Promise<readonly (readonly [string, string])[]> => {
  const before =
    prelude === undefined ? '' : readFileSync(join(import.meta.dirname, prelude), 'utf8');
  const built = await rolldown({ ...options, input: join(root, entry) });
  const { output } = await built.generate({
    ...outputs[host],
    codeSplitting: parts,
    intro: ({ isEntry }) => (isEntry ? before : ''),
    entryFileNames: basename(file),
    chunkFileNames: `${basename(file, '.js')}-[name].js`,
  });
  await built.close();
  return output.map(({ fileName, ...chunk }) => {
    if (chunk.type !== 'chunk') throw new Error(`${fileName} is no code`);
    return [`${dirname(file)}/${fileName}`, chunk.code];
  });
};

const root = join(import.meta.dirname, '..');

const minified: OutputOptions = {
  minify: true,
  comments: { legal: true, annotation: false, jsdoc: false },
};
const module: OutputOptions = {
  ...minified,
  format: 'cjs',
  exports: 'named',
  dynamicImportInCjs: false,
};
const outputs: Readonly<Record<Host, OutputOptions>> = {
  desktop: module,
  web: module,
  page: { ...minified, format: 'iife', exports: 'none' },
};

/**
 * Modules that are left out if nothing of them is used: our own, and dependencies of the HTTP
 * client that collect metrics or logs, which the extension does not use.
 */
const withoutEffect = {
  test: /\/engine\/src\/|node_modules\/(?:prom-client|@opentelemetry|pino|bintrees|tdigest)\//,
  sideEffects: false,
};
const treeshake = { moduleSideEffects: [withoutEffect] };

/** The Node version on which VS Code 1.91 and later run extensions. */
const desktop: InputOptions = {
  platform: 'node',
  external: ['vscode', /^node:/],
  resolve: { conditionNames: ['source', 'node', 'require', 'import', 'default'] },
  transform: { target: 'node20' },
  treeshake,
};

const browser: InputOptions = {
  platform: 'browser',
  external: ['vscode'],
  resolve: { conditionNames: ['source', 'browser', 'import', 'default'] },
  transform: { target: 'es2022' },
  treeshake,
};

/**
 * Replaces undici by the parts in use. WebAssembly that parses responses is included once of four
 * times: in the form for every processor, and without the experimental parser, which undici omits
 * where `esbuildDetection` is defined.
 */
const undiciInParts: Plugin = {
  name: 'undici in parts',
  resolveId(id, importer = '') {
    if (id === 'undici') return join(import.meta.dirname, 'undici-parts.js');
    if (id === '../llhttp/llhttp_simd-wasm.js')
      return join(dirname(importer), '../llhttp/llhttp-wasm.js');
    return undefined;
  },
};

/** Options for a bundle that loads rarely used modules from other bundles. */
const withExternal = (files: ReadonlyMap<string, string>): InputOptions => ({
  ...desktop,
  plugins: [
    {
      name: 'apart',
      resolveId: (id) => {
        const file = files.get(id);
        return file === undefined ? undefined : { id: file, external: true };
      },
    },
  ],
});
const entryOptions = withExternal(
  new Map([
    ['./desktop-work.ts', './work.js'],
    ['./testing/test-controller.ts', './testing.js'],
  ]),
);
const workOptions = withExternal(new Map([['./key-sets.ts', './key-sets.js']]));

/**
 * Bundles dynamically imported modules separately, and includes each of them as one function that
 * runs when it is imported. Otherwise each module that they import becomes such a function.
 */
const bundledFirst = (modules: readonly string[]): Plugin => ({
  name: 'bundled first',
  resolveId: (id) => (modules.includes(id) ? `${join(root, 'src', id)}.cjs` : undefined),
  load: {
    filter: { id: /\.ts\.cjs$/ },
    async handler(id) {
      const built = await rolldown({ ...browser, input: id.replace(/\.cjs$/, '') });
      const { output } = await built.generate({ ...module, codeSplitting: false });
      await built.close();
      return output[0].code;
    },
  },
});

const bundles: readonly Bundle[] = [
  { host: 'desktop', file: 'dist/desktop.js', entry: 'src/desktop.ts', options: entryOptions },
  {
    host: 'desktop',
    file: 'dist/work.js',
    entry: 'src/desktop-work.ts',
    options: workOptions,
  },
  {
    host: 'desktop',
    file: 'dist/testing.js',
    entry: 'src/testing/test-controller.ts',
    options: desktop,
  },
  {
    host: 'desktop',
    file: 'dist/key-sets.js',
    entry: 'src/identities/key-sets.ts',
    options: desktop,
  },
  {
    host: 'desktop',
    file: 'dist/server.js',
    entry: '../language-server/src/main.ts',
    options: {
      ...desktop,
      transform: { ...desktop.transform, define: { esbuildDetection: 'true' } },
      plugins: [undiciInParts],
    },
    parts: true,
    prelude: 'older-node.js',
  },
  {
    host: 'web',
    file: 'dist/web.js',
    entry: 'src/web.ts',
    options: {
      ...browser,
      plugins: [bundledFirst(['./web-work.ts', './testing/test-controller.ts'])],
      // Most of the time is spent in the plugin.
      checks: { pluginTimings: false },
    },
  },
  { host: 'page', file: 'media/explain.js', entry: 'src/pages/explain.ts', options: browser },
  { host: 'page', file: 'media/graph.js', entry: 'src/pages/graph.ts', options: browser },
  { host: 'page', file: 'media/whoami.js', entry: 'src/pages/whoami.ts', options: browser },
];
