// Bundles the extension: for the desktop a small start, what it loads when needed, and the language server;
// for the browser one file. Sources are read as they stand, so nothing has to be built before.
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const source = ['source'];

/** What Node has when VS Code 1.91 and later run extensions. */
const desktop = {
  platform: 'node',
  external: ['vscode', /^node:/],
  resolve: { conditionNames: [...source, 'node', 'require', 'import', 'default'] },
  transform: { target: 'node20' },
};

const browser = {
  platform: 'browser',
  external: ['vscode'],
  resolve: { conditionNames: [...source, 'browser', 'import', 'default'] },
  transform: { target: 'es2022' },
};

/** Each bundle with its name in the package, its entry, and whether it stays one file. */
const bundles = [
  { options: desktop, input: { desktop: join(root, 'src/desktop.ts') }, parts: true },
  {
    options: desktop,
    input: { server: join(root, '../language-server/src/main.ts') },
    parts: false,
  },
  { options: browser, input: { web: join(root, 'src/web.ts') }, parts: false },
];

/** Text by path in the package. `only` leaves out the bundles of the other host. */
export const bundle = async ({ only } = {}) => {
  const files = new Map();
  for (const { options, input, parts } of bundles) {
    if (only === 'web' && !('web' in input)) continue;
    const built = await rolldown({ input, ...options });
    const { output } = await built.generate({
      format: 'cjs',
      exports: 'named',
      minify: true,
      // The bundler's own few lines apart, or the start would load the client only to have them.
      codeSplitting: parts && {
        groups: [{ name: 'start', test: /rolldown.runtime|src.recognise/ }],
      },
      chunkFileNames: '[name]-[hash].js',
    });
    await built.close();
    for (const chunk of output) files.set(`dist/${chunk.fileName}`, chunk.code);
  }
  return files;
};
