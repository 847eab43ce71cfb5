/**
 * The status bar items: the current sample and the target version, shown while a relevant document
 * is visible.
 */

import { withoutIcons } from '@authgraph/language-server/protocol';
import { Disposable, StatusBarAlignment, type StatusBarItem, window, workspace } from 'vscode';
import { isAnyVisible } from './known-documents.ts';
import type { Model } from './model.ts';
import { section } from './settings.ts';

/** `newest` is the newest supported version. */
export const showStatus = (model: Model, newest: string): Disposable => {
  const sample = item('authgraph.sample', 'AuthGraph Sample', 'authgraph.selectSample', 11);
  const version = item(
    'authgraph.version',
    'AuthGraph Version',
    'authgraph.selectTargetVersion',
    10,
  );
  const show = (): void => {
    const isShown = isAnyVisible();
    for (const each of [sample, version]) {
      if (isShown) each.show();
      else each.hide();
    }
    const name = model.chosen?.name;
    sample.text = name === undefined ? '○ no sample' : `◉ ${withoutIcons(name)}`;
    sample.tooltip = 'AuthGraph: the sample that previews use. Click to select another.';
    sample.accessibilityInformation = { label: `AuthGraph sample: ${name ?? 'none'}` };
    const target = workspace.getConfiguration(section).get('targetVersion', 'newest');
    version.text = `$(versions) API server ${withoutIcons(target === 'newest' ? newest : target)}`;
    version.tooltip =
      'AuthGraph: the version of kube-apiserver that files are checked for. Click to select another.';
    version.accessibilityInformation = { label: `AuthGraph target version: ${target}` };
  };
  const subscriptions = [
    sample,
    version,
    model.onDidChange(show),
    window.onDidChangeVisibleTextEditors(show),
    workspace.onDidChangeConfiguration(show),
  ];
  show();
  return Disposable.from(...subscriptions);
};

const item = (id: string, name: string, command: string, priority: number): StatusBarItem => {
  const created = window.createStatusBarItem(id, StatusBarAlignment.Left, priority);
  created.name = name;
  created.command = command;
  return created;
};
