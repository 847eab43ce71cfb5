/** helm, which packs the chart of a release and renders it in tests. */
import { join } from 'node:path';
import { goProgram } from './go-program.ts';

/** Returns the path of helm, built once per machine; throws if it cannot be built. */
export const helmProgram = (): string =>
  goProgram({
    name: 'helm-v4.2.4',
    module: join(import.meta.dirname, 'helm'),
    package: 'helm.sh/helm/v4/cmd/helm',
    values: ['helm.sh/helm/v4/internal/version.version=v4.2.4'],
  });
