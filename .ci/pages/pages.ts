/** Generated files, mostly pages of docs/, with their content by path. */
import { compatibilityPage } from './compatibility.ts';
import { configurationSchema } from './configuration-schema.ts';
import { diagnosticsPage } from './diagnostics.ts';
import { differencesPage } from './differences.ts';
import { engineApiPage } from './engine-api.ts';
import { flagsPage } from './flags.ts';
import { lintsPage } from './lints.ts';
import { metricsPage } from './metrics.ts';
import { sampleFiles } from './samples.ts';
import { scalingPage } from './scaling.ts';
import { settingsSchema } from './settings-schema.ts';
import { terminalPicture } from './terminal-picture.ts';
import { requestFileSchema, testFileSchema } from './tests-schema.ts';

type Generator = () => string | Promise<string>;

export const generatedPages: ReadonlyMap<string, Generator> = new Map<string, Generator>([
  ['docs/compatibility.md', compatibilityPage],
  ['docs/differences.md', differencesPage],
  ['docs/diagnostics/README.md', diagnosticsPage],
  ['docs/engine-api.md', engineApiPage],
  ['docs/flags.md', flagsPage],
  ['docs/images/check.svg', terminalPicture],
  ['docs/lints.md', lintsPage],
  ['docs/metrics.md', metricsPage],
  ['docs/schema/authenticationconfiguration.json', configurationSchema],
  ['docs/schema/authtest.v1.json', testFileSchema],
  ['docs/schema/request.v1.json', requestFileSchema],
  ['docs/schema/settings.v1.json', settingsSchema],
  ['test/scaling/README.md', scalingPage],
  ...sampleFiles,
]);
