/** The pages of docs/ that are made from tables of the code: path -> text. */
import { diagnosticsPage } from './diagnostics.ts';
import { differencesPage } from './differences.ts';
import { flagsPage } from './flags.ts';
import { metricsPage } from './metrics.ts';
import { releasesPage } from './releases.ts';

export const madePages: ReadonlyMap<string, () => string> = new Map([
  ['docs/differences.md', differencesPage],
  ['docs/diagnostics/README.md', diagnosticsPage],
  ['docs/flags.md', flagsPage],
  ['docs/metrics.md', metricsPage],
  ['docs/releases.md', releasesPage],
]);
