// Puts commands that must start at once into few files, beside the modules that the compiler made.
// The modules stay as they are and are used where these files are missing.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const cli = join(import.meta.dirname, '../engine/dist/cli');
const quick = join(cli, 'quick');
// Loaded only when a text has to be compiled or an issuer asked; they stay packages.
const external = [/^node:/, 'yaml', 'chevrotain', 'undici', 'pino', 'prom-client', 'jose'];

rmSync(quick, { recursive: true, force: true });
const bundle = await rolldown({
  input: { whoami: join(cli, 'commands/whoami.js') },
  platform: 'node',
  external,
});
await bundle.write({ dir: quick, format: 'esm', minify: true });
await bundle.close();
