/** Writes the generated pages of docs/ and the samples: `npm run -s docs`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedPages } from './pages/pages.ts';

for (const [path, text] of generatedPages)
  writeFileSync(join(import.meta.dirname, '..', path), text());
