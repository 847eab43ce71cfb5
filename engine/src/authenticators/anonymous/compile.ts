/** The `anonymous` section, or the flag -> node. */
import type { AnonymousConfig } from '../../config/configuration.ts';
import type { AnonymousNode } from './node.ts';

/** Without a section the flag decides; without the flag anonymous requests are served everywhere. */
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
