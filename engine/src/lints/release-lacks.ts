/** The target release does not support something that the file uses. */
import type { Compilation } from '../compile/compile.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import { anonymousEndpointsGate } from '../model/feature-gates.ts';
import { type ConfigurationFeature, historyOf, releaseName } from '../model/release.ts';
import type { Span } from '../source/span.ts';
import { defineLint } from './parts/define-lint.ts';

interface Args {
  readonly feature: ConfigurationFeature;
  readonly target: string;
}

export const releaseLacks = defineLint<Args>({
  code: 'AG4006',
  name: 'release-lacks',
  summary: 'The file uses a feature that the target release does not support.',
  message: ({ feature, target }) =>
    `Kubernetes ${target} lacks ${feature} (since ${releaseName(historyOf(feature).since)}): it ${historyOf(feature).before}`,
  help: () =>
    'Select another target version (on the command line: --target-version), or use what that release supports.',
  check(compilation, report) {
    const { configuration, settings } = compilation;
    if (configuration === undefined) return;
    const { targetRelease: release } = settings;
    const need = (
      feature: ConfigurationFeature,
      at: Span | undefined,
      fixes: readonly Fix[] = [],
    ): void => {
      if (at === undefined || historyOf(feature).since <= release) return;
      report(at, { feature, target: releaseName(release) }, { fixes });
    };
    const { value: version, span } = configuration.version;
    if (version === 'v1') need('version v1', span, writeBeta(compilation, span));
    if (settings.featureGates.get(anonymousEndpointsGate) !== true)
      need('field anonymous', configuration.anonymous?.span);
    for (const { issuer } of configuration.jwt) {
      need('field egressSelectorType', issuer.egressSelectorType?.span);
    }
  },
});

/**
 * Writes v1beta1, which has the same fields as v1. A field that the target release lacks
 * (`anonymous`) has no fix: removing it would change the meaning of the file.
 */
const writeBeta = ({ document: { source } }: Compilation, at: Span): readonly Fix[] => {
  const written = source.text.slice(at.start, at.end);
  const newText = written.replace(/\/v1(?=["']?$)/, '/v1beta1');
  return newText === written ? [] : [{ title: 'Write v1beta1', edits: [{ span: at, newText }] }];
};
