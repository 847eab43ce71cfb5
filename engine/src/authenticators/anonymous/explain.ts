/** What the anonymous module does, in a sentence. */
import type { AnonymousNode } from './node.ts';

export const explainAnonymous = ({ enabled, paths }: AnonymousNode): readonly string[] => {
  if (!enabled) return ['Requests without a credential are refused.'];
  if (paths === undefined) return ['Requests without a credential are system:anonymous.'];
  return [
    `Requests without a credential are system:anonymous on exactly these paths: ${paths.join(', ')}.`,
  ];
};
