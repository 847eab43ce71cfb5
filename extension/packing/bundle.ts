// Bundles the extension. For the desktop: a small start, the work that it loads when there is some, and the
// language server; for the browser one file; for webviews a script a page. Sources are read as they
// stand, so nothing has to be built before.
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');

/** What Node has when VS Code 1.91 and later run extensions. */
const desktop = {
  platform: 'node',
  external: ['vscode', /^node:/],
  resolve: { conditionNames: ['source', 'node', 'require', 'import', 'default'] },
  transform: { target: 'node20' },
};

const browser = {
  platform: 'browser',
  external: ['vscode'],
  resolve: { conditionNames: ['source', 'browser', 'import', 'default'] },
  transform: { target: 'es2022' },
};

/** The work is a bundle of its own, named beside the start: only its use loads it. */
const workApart = {
  name: 'work-apart',
  resolveId: (id) => (id === './desktop-work.ts' ? { id: './work.js', external: true } : undefined),
};

const bundles = [
  {
    host: 'desktop',
    file: 'dist/desktop.js',
    entry: 'src/desktop.ts',
    ...desktop,
    plugins: [workApart],
  },
  { host: 'desktop', file: 'dist/work.js', entry: 'src/desktop-work.ts', ...desktop },
  { host: 'desktop', file: 'dist/server.js', entry: '../language-server/src/main.ts', ...desktop },
  { host: 'web', file: 'dist/web.js', entry: 'src/web.ts', ...browser },
  { host: 'page', file: 'media/graph.js', entry: 'src/pages/graph.ts', ...browser, format: 'iife' },
  {
    host: 'page',
    file: 'media/whoami.js',
    entry: 'src/pages/whoami.ts',
    ...browser,
    format: 'iife',
  },
];

/** Text by path in the package. `without` names a host that is left out. */
export const bundle = async ({ without } = {}) => {
  const files = new Map();
  for (const { host, file, entry, format = 'cjs', ...options } of bundles) {
    if (host === without) continue;
    const built = await rolldown({ input: join(root, entry), ...options });
    const { output } = await built.generate({
      format,
      exports: format === 'cjs' ? 'named' : 'none',
      minify: true,
      codeSplitting: false,
    });
    await built.close();
    if (output.length !== 1) throw new Error(`${file} became ${output.length} files`);
    files.set(file, output[0].code);
  }
  return files;
};
