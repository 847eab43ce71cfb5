/** Actions of a whoami card: go to a line, copy, open as text, try a change of the claims. */
import type { WhoamiReport, WhoamiRow } from '@authgraph/language-server/protocol';
import { commands, type TextDocument, ViewColumn, window, workspace } from 'vscode';
import { copyCommandFor } from '../copied-command.ts';
import type { SampleCommands } from '../identities/sample-commands.ts';
import type { WhoamiAction } from '../messages/whoami.ts';
import { goTo } from '../place.ts';
import type { Results } from '../results.ts';
import { reportText, resultName, rowText } from './whoami-text.ts';

export const createRowActions = (parts: {
  readonly samples: Pick<SampleCommands, 'addToMemory'>;
  readonly results: Results;
}) => {
  const { samples, results } = parts;
  /**
   * The sample of each open text by the text's name, because samples in memory may share a name.
   */
  const open = new Map<string, string>();

  const openText = async (subject: string, name: string, text: string): Promise<void> => {
    open.set(name, subject);
    const uri = results.put(name, text);
    await window.showTextDocument(uri, { preview: true, viewColumn: -2 });
  };
  const closed = workspace.onDidCloseTextDocument(({ uri }) => {
    open.delete(uri.path.slice(1));
  });
  return {
    async run(
      action: Extract<WhoamiAction, { readonly row: number }>,
      row: WhoamiRow,
      /** The configuration of the row. */
      document: Pick<TextDocument, 'isDirty' | 'uri'> | undefined,
    ): Promise<void> {
      switch (action.kind) {
        case 'goToStep':
          return goToIfThere(row.steps[action.index]?.place);
        case 'goToSource':
          return goToIfThere(row.sources[action.index]?.place);
        case 'goToRefusal':
          return goToIfThere(row.place);
        case 'apply': {
          const change = row.whyNot[action.index];
          if (change === undefined) return;
          return samples.addToMemory(`${row.sample.name} ${change.text}`, change.claims);
        }
        case 'revert':
          return revert(document);
        case 'copy':
          return copyCommandFor(document, row);
        case 'yaml':
          return openText(row.sample.id, resultName(row), rowText(row));
      }
    },
    /** Opens all rows in one document. */
    openReport: (report: WhoamiReport) => openText(allSamples, nameOfAll, reportText(report)),
    isTextOpen: () => open.size > 0,
    /** Updates results that are open as text. */
    follow(report: WhoamiReport): void {
      const { rows } = report;
      for (const row of rows) {
        const name = resultName(row);
        if (open.get(name) === row.sample.id) results.put(name, rowText(row));
      }
      if (open.has(nameOfAll)) results.put(nameOfAll, reportText(report));
    },
    dispose: () => closed.dispose(),
  };
};

/** Discards the unsaved edits of the configuration. */
const revert = async (document: Pick<TextDocument, 'uri'> | undefined): Promise<void> => {
  if (document === undefined) return;
  const opened = await workspace.openTextDocument(document.uri);
  const shown = window.visibleTextEditors.find((editor) => editor.document === opened);
  // The command reverts the active editor.
  await window.showTextDocument(opened, shown?.viewColumn ?? ViewColumn.One);
  await commands.executeCommand('workbench.action.files.revert');
};

const nameOfAll = 'whoami.yaml';
const allSamples = '';

const goToIfThere = async (place: WhoamiRow['place']): Promise<void> => {
  if (place !== undefined) await goTo(place);
};
