/** Compiles the `anonymous` section of the file, or `--anonymous-auth`, to a node. */
import type { AnonymousConfig } from '../../config/configuration.ts';
import type { AnonymousNode } from './node.ts';

/**
 * Compiles the section. If there is none, the flag decides; if neither is set, anonymous requests
 * are allowed on every path.
 */
export const compileAnonymous = (
  section: AnonymousConfig | undefined,
  flag: boolean | undefined,
): AnonymousNode => {
  if (section === undefined)
    return { module: 'anonymous', enabled: flag ?? true, paths: undefined, fromFile: false };
  const paths = section.conditions.map(({ path }) => path?.value ?? '');
  return {
    module: 'anonymous',
    enabled: section.enabled,
    paths: paths.length === 0 ? undefined : paths,
    fromFile: true,
  };
};
