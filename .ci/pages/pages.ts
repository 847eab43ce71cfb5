/** The pages of docs/ that are made from tables of the code: path -> text. */
import { differencesPage } from './differences.ts';

export const madePages: ReadonlyMap<string, () => string> = new Map([
  ['docs/differences.md', differencesPage],
]);
