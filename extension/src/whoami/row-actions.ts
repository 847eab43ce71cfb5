/** Actions of a whoami card: go to a line, copy, open as text, try a change of the claims. */
import type { WhoamiReport, WhoamiRow } from '@authgraph/language-server/protocol';
import { type TextDocument, window, workspace } from 'vscode';
import { copyCommandFor } from '../copied-command.ts';
import type { SampleCommands } from '../identities/sample-commands.ts';
import type { WhoamiAction } from '../messages/whoami.ts';
import { goTo } from '../place.ts';
import type { Results } from '../results.ts';
import { reportText, resultName, rowText } from './whoami-text.ts';

export const createRowActions = (parts: {
  readonly model: { readonly configuration: Pick<TextDocument, 'isDirty' | 'uri'> | undefined };
  readonly samples: Pick<SampleCommands, 'addToMemory'>;
  readonly results: Results;
}) => {
  const { model, samples, results } = parts;
  /**
   * The sample of each open text by the text's name, because samples in memory may share a name.
   */
  const open = new Map<string, string>();

  const copy = (row: WhoamiRow): Promise<void> => copyCommandFor(model.configuration, row);
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
        case 'copy':
          return copy(row);
        case 'yaml':
          return openText(row.sample.id, resultName(row), rowText(row));
      }
    },
    copy,
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

const nameOfAll = 'whoami.yaml';
const allSamples = '';

const goToIfThere = async (place: WhoamiRow['place']): Promise<void> => {
  if (place !== undefined) await goTo(place);
};
