/** The workspace that most lists open: a copy of its own for each. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Play } from './stage.ts';

export const exampleFolder = ({ server }: Play, name: string): string => {
  const folder = server.folder(name);
  cpSync(join(import.meta.dirname, 'workspace'), folder, { recursive: true });
  return folder;
};
