/** Generated files, mostly pages of docs/, with their content by path. */
import { configurationSchema } from './configuration-schema.ts';
import { diagnosticsPage } from './diagnostics.ts';
import { differencesPage } from './differences.ts';
import { flagsPage } from './flags.ts';
import { metricsPage } from './metrics.ts';
import { releasesPage } from './releases.ts';
import { sampleFiles } from './samples.ts';

export const generatedPages: ReadonlyMap<string, () => string> = new Map([
  ['docs/differences.md', differencesPage],
  ['docs/diagnostics/README.md', diagnosticsPage],
  ['docs/flags.md', flagsPage],
  ['docs/metrics.md', metricsPage],
  ['docs/releases.md', releasesPage],
  ['docs/schema/authenticationconfiguration.json', configurationSchema],
  ...sampleFiles,
]);
