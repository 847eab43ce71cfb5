/** Compares two versions of a configuration for each target release. */
import type { AccessVerdict } from '../../simulate/access/access-result.ts';
import { compareAccess } from '../../simulate/access/compare-access.ts';
import {
  type CompiledForRelease,
  isSame,
  type VersionedConfiguration,
} from '../configuration-versions.ts';
import type { AccessResult, VerdictCount } from './fleet-report.ts';

/** Compares who gets access for each of the releases. */
export const compareConfigurations = (
  before: VersionedConfiguration | undefined,
  after: VersionedConfiguration,
): readonly AccessResult[] =>
  after.byRelease.map((own, index) => {
    const old = before?.byRelease[index];
    if (old === undefined) return { kind: 'added' };
    return isSame(old, own) ? { kind: 'same' } : compareCompiled(old, own);
  });

const compareCompiled = (before: CompiledForRelease, after: CompiledForRelease): AccessResult => {
  const { graph: newGraph } = after.compile().compilation;
  if (newGraph === undefined) return { kind: 'not compared', side: 'after' };
  const { graph: oldGraph } = before.compile().compilation;
  if (oldGraph === undefined) return { kind: 'not compared', side: 'before' };
  const { verdicts, settings } = compareAccess({ graph: oldGraph }, { graph: newGraph });
  const { gained, lost, changed } = verdicts;
  return {
    kind: 'compared',
    verdicts: { gained: countOf(gained), lost: countOf(lost), changed: countOf(changed) },
    settings: settings.length,
  };
};

const countOf = (verdict: AccessVerdict): VerdictCount => ({
  kind: verdict.kind,
  count: verdict.kind === 'found' ? verdict.changes.length : 0,
});
