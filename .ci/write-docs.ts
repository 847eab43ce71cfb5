/** Writes the pages of docs/ that are made from tables of the code: `npm run -s docs`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { madePages } from './pages/pages.ts';

for (const [path, text] of madePages) writeFileSync(join(import.meta.dirname, '..', path), text());
