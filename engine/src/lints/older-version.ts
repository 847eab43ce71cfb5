/** v1beta1 and v1alpha1 are read by all releases so far, but v1 is the stable version. */
import { asChoice } from '../diagnostics/diagnostic.ts';
import { historyOf, releaseName } from '../model/release.ts';
import { defineLint } from './parts/define-lint.ts';

interface Args {
  readonly version: string;
  readonly release: string;
}

export const olderVersion = defineLint<Args>({
  code: 'AG4035',
  name: 'older-version',
  severity: 'information',
  summary: 'The file has an older version although the release supports v1.',
  message: ({ version, release }) =>
    `${version} is an older version: release ${release} supports apiserver.config.k8s.io/v1`,
  help: () => 'Run authgraph migrate, which changes only the version and compares the result.',
  check({ configuration, settings: { targetRelease }, document: { source } }, report) {
    if (configuration === undefined || targetRelease < historyOf('version v1').since) return;
    const { value, span } = configuration.version;
    if (value !== 'v1beta1' && value !== 'v1alpha1') return;
    const at = source.text.slice(span.start, span.end).lastIndexOf(`/${value}`);
    const start = span.start + at + 1;
    const edits = [{ span: { start, end: start + value.length }, newText: 'v1' }];
    report(
      span,
      { version: value, release: releaseName(targetRelease) },
      { fixes: at === -1 ? [] : [asChoice({ title: 'Write v1', edits })] },
    );
  },
});
