/** Generated files, mostly pages of docs/, with their content by path. */
import { configurationSchema } from './configuration-schema.ts';
import { diagnosticsPage } from './diagnostics.ts';
import { differencesPage } from './differences.ts';
import { engineApiPage } from './engine-api.ts';
import { flagsPage } from './flags.ts';
import { metricsPage } from './metrics.ts';
import { releasesPage } from './releases.ts';
import { sampleFiles } from './samples.ts';
import { scalingPage } from './scaling.ts';
import { settingsSchema } from './settings-schema.ts';

export const generatedPages: ReadonlyMap<string, () => string> = new Map([
  ['docs/differences.md', differencesPage],
  ['docs/diagnostics/README.md', diagnosticsPage],
  ['docs/engine-api.md', engineApiPage],
  ['docs/flags.md', flagsPage],
  ['docs/metrics.md', metricsPage],
  ['docs/releases.md', releasesPage],
  ['docs/schema/authenticationconfiguration.json', configurationSchema],
  ['docs/schema/settings.v1.json', settingsSchema],
  ['test/scaling/README.md', scalingPage],
  ...sampleFiles,
]);
