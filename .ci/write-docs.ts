/** Writes the generated pages of docs/ and the samples: `npm run -s docs`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { consolePages, withCurrentOutput } from './pages/console-blocks.ts';
import { generatedPages } from './pages/pages.ts';

const write = (path: string, text: string): void =>
  writeFileSync(join(import.meta.dirname, '..', path), text);

for (const [path, text] of generatedPages) write(path, await text());
for (const path of consolePages()) write(path, await withCurrentOutput(path));
