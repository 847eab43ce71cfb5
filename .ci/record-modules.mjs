// Writes the paths of the modules that a run of the program loads, one a line, to the file that
// AUTHGRAPH_MODULES names: `node --import record-modules.mjs main.js …`.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const modules = new Set();
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) modules.add(fileURLToPath(url));
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env.AUTHGRAPH_MODULES, [...modules].join('\n')));
