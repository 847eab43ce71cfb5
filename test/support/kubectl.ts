/**
 * The real kubectl. `AUTHGRAPH_KUBECTL` names the program; without it, it is built once from its Go
 * modules (`test/heavy/kubectl/go.mod`), which needs Go and takes some minutes.
 */
import { join } from 'node:path';
import { goBuildMs, goProgram } from '../../deploy/go-programs/go-program.ts';

/** The release that the documentation names. */
export const kubectlRelease = 'v1.36.3';

/** Time that building it may take. */
export const kubectlBuildMs = goBuildMs;

/** Returns the path of the program; throws if it cannot be built. */
export const kubectlProgram = (): string => {
  const given = process.env.AUTHGRAPH_KUBECTL;
  if (given !== undefined && given !== '') return given;
  return goProgram({
    name: `kubectl-${kubectlRelease}`,
    module: join(import.meta.dirname, '../heavy/kubectl'),
    values: [`k8s.io/component-base/version.gitVersion=${kubectlRelease}`],
  });
};
