/**
 * `npm run package`: packs the extension and prints the path of the .vsix. With `-- --web` only the
 * browser part is packed.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryAddress } from '../../.ci/repository-address.ts';
import { packageFiles } from './package-files.ts';
import { manifestOf, writeVsix } from './vsix.ts';

const root = join(import.meta.dirname, '..');
const webOnly = process.argv.includes('--web');
const suffix = webOnly ? '-web' : '';

const files = await packageFiles({ webOnly, address: repositoryAddress(process.env) });
const bytes = await writeVsix(files);
const target = join(root, `authgraph-${manifestOf(files).version}${suffix}.vsix`);
writeFileSync(target, bytes);

// The same files unpacked, for `code --extensionDevelopmentPath`.
const unpacked = join(root, 'dist', `package${suffix}`);
rmSync(unpacked, { recursive: true, force: true });
for (const [path, content] of files) {
  mkdirSync(dirname(join(unpacked, path)), { recursive: true });
  writeFileSync(join(unpacked, path), content);
}
console.log(target);
console.error(`${files.size} files, ${(bytes.length / 1024).toFixed(0)} KiB`);
