/**
 * The status bar items: the current sample, and the target version if it is not the newest one.
 * They are shown while a relevant document is visible.
 */

import { type VerdictRow, verdictSigns, withoutIcons } from '@authgraph/language-server/protocol';
import { Disposable, StatusBarAlignment, type StatusBarItem, window, workspace } from 'vscode';
import { isAnyVisible } from './known-documents.ts';
import { latestOnly } from './latest-request.ts';
import type { Model } from './model.ts';
import type { ServerRequests } from './requests.ts';
import { section } from './settings.ts';

/** `newest` is the newest supported version. */
export const showStatus = ({
  model,
  requests,
  newest,
}: {
  readonly model: Model;
  readonly requests: Pick<ServerRequests, 'verdicts'>;
  readonly newest: string;
}): Disposable => {
  const sample = item('authgraph.sample', 'AuthGraph Sample', 'authgraph.selectSample', 11);
  const version = item(
    'authgraph.version',
    'AuthGraph Version',
    'authgraph.selectTargetVersion',
    10,
  );
  const requestVerdicts = latestOnly(requests.verdicts);
  let requestCount = 0;
  /** The verdicts on the current sample, one per configuration of the file. */
  let verdicts: readonly VerdictRow[] = [];
  const refresh = async (): Promise<void> => {
    requestCount += 1;
    const number = requestCount;
    const { configuration, current } = model;
    const { rows } =
      configuration === undefined || current === undefined
        ? { rows: [] }
        : await requestVerdicts({ uri: configuration.uri.toString(), samples: [current.id] });
    if (number !== requestCount) return;
    verdicts = rows;
    show();
  };
  const show = (): void => {
    const isShown = isAnyVisible();
    const name = model.current?.name;
    const own = verdicts.filter((row) => row.sample.id === model.current?.id);
    const signs = own.map(({ verdict }) => ` ${verdictSigns[verdict]}`).join('');
    sample.text = name === undefined ? '○ no sample' : `◉ ${withoutIcons(name)}${signs}`;
    const headlines = own.map(({ headline }) => headline);
    const hint =
      'AuthGraph: the sample that whoami shows first. Each authenticator shows the last one selected for its issuer. Click to select another.';
    sample.tooltip = [...headlines, hint].join('\n');
    const label = own.length === 0 ? (name ?? 'none') : headlines.join('; ');
    sample.accessibilityInformation = { label: `AuthGraph sample: ${label}` };
    const target = workspace.getConfiguration(section).get('targetVersion', 'newest');
    if (isShown) sample.show();
    else sample.hide();
    if (isShown && target !== 'newest' && target !== newest) version.show();
    else version.hide();
    version.text = `$(versions) API server ${withoutIcons(target)}`;
    version.tooltip =
      'AuthGraph: the version of kube-apiserver that files are checked for. Click to select another.';
    version.accessibilityInformation = { label: `AuthGraph target version: ${target}` };
  };
  const subscriptions = [
    sample,
    version,
    model.onDidChange(() => {
      show();
      void refresh();
    }),
    window.onDidChangeVisibleTextEditors(show),
    workspace.onDidChangeConfiguration(show),
  ];
  show();
  void refresh();
  return Disposable.from(...subscriptions);
};

const item = (id: string, name: string, command: string, priority: number): StatusBarItem => {
  const created = window.createStatusBarItem(id, StatusBarAlignment.Left, priority);
  created.name = name;
  created.command = command;
  return created;
};
