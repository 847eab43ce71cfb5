/** Compares who gets access before and after a fix of a configuration. */
import { compile } from '../../engine/src/compile/compile.ts';
import { graphOfValidEntries } from '../../engine/src/compile/entry-node.ts';
import { compareAccess } from '../../engine/src/simulate/access/compare-access.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';

/**
 * Returns the kinds of changes for which there is an example: `gained`, `lost` and `changed`.
 * Authenticators with an error admit no one before the fix, so only the others are compared.
 */
export const accessChangesOf = (before: string, after: string): readonly string[] => {
  const [old, fixed] = [before, after].map((text) =>
    graphOfValidEntries(compile({ source: sourceFile('file.yaml', text) })),
  );
  if (old === undefined || fixed === undefined) return [];
  const issuers = new Set(old.nodes.map(({ issuerUrl }) => issuerUrl));
  const nodes = fixed.nodes.filter(({ issuerUrl }) => issuers.has(issuerUrl));
  const { verdicts } = compareAccess({ graph: old }, { graph: { ...fixed, nodes } });
  return Object.entries(verdicts).flatMap(([kind, verdict]) =>
    verdict.kind === 'found' ? [kind] : [],
  );
};
