/** Compares configurations that are written as text. */
import type { AuthenticatorGraph } from '../../../../engine/src/compile/graph.ts';
import type { Mode } from '../../../../engine/src/model/differences.ts';
import type {
  AccessComparison,
  AccessVerdict,
} from '../../../../engine/src/simulate/access/access-result.ts';
import type { AccessSide } from '../../../../engine/src/simulate/access/access-side.ts';
import { compareAccess } from '../../../../engine/src/simulate/access/compare-access.ts';
import { compileText } from '../../../support/compile-text.ts';

/** Compiles a configuration without errors. */
export const sideOf = (text: string): AccessSide => {
  const { graph, origins, diagnostics } = compileText(text);
  if (graph === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return { graph, origins };
};

/** Returns the graph of a configuration without errors. */
export const graphOf = (text: string): AuthenticatorGraph => sideOf(text).graph;

export const compareTexts = (before: string, after: string, mode?: Mode): AccessComparison =>
  compareAccess(sideOf(before), sideOf(after), mode);

/** Returns the kind of each verdict. */
export const kindsOf = ({
  verdicts: { gained, lost, changed },
}: AccessComparison): Record<'gained' | 'lost' | 'changed', AccessVerdict['kind']> => ({
  gained: gained.kind,
  lost: lost.kind,
  changed: changed.kind,
});
