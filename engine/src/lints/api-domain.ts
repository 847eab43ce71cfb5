/** The file is in an API domain that only AuthGraph reads. */

import { asChoice, type Fix } from '../diagnostics/diagnostic.ts';
import { configGroup, kubernetesDomain } from '../model/api-domain.ts';
import { span } from '../source/span.ts';
import { defineLint } from './parts/define-lint.ts';

interface Args {
  readonly group: string;
}

export const apiDomain = defineLint<Args>({
  code: 'AG4024',
  name: 'api-domain',
  severity: 'information',
  summary: 'The file is in an API domain that kube-apiserver does not read.',
  message: ({ group }) =>
    `AuthGraph reads this file; kube-apiserver does not, because it reads only ${configGroup(kubernetesDomain)}, not ${group}`,
  help: () =>
    'If kube-apiserver reads the file too, use its domain. To choose a domain for all files, set apiDomain in .authgraph.yaml.',
  check({ configuration, settings, document: { source } }, report) {
    if (configuration === undefined || configuration.domain === kubernetesDomain) return;
    // The domain was chosen, or no apiVersion was understood.
    if (settings.fileDomain !== undefined || settings.apiDomain !== undefined) return;
    const { span: at } = configuration.version;
    const group = configGroup(configuration.domain);
    const start = source.text.slice(at.start, at.end).indexOf(group);
    if (start === -1) return;
    const domain = at.start + start + group.length - configuration.domain.length;
    const edits = [
      { span: span(domain, domain + configuration.domain.length), newText: kubernetesDomain },
    ];
    const fix: Fix = { title: `Write ${configGroup(kubernetesDomain)}`, edits };
    report(at, { group }, { fixes: [asChoice(fix)] });
  },
});
