/** What a click in a card does: go to a line, copy, open as text, try a change of the claims. */
import type { WhoamiReport, WhoamiRow } from '@authgraph/language-server/protocol';
import { type Disposable, type TextDocument, window, workspace } from 'vscode';
import { copyCommandAbout } from '../copied-command.ts';
import type { SampleCommands } from '../identities/sample-commands.ts';
import type { WhoamiAct } from '../messages/whoami.ts';
import { goTo } from '../place.ts';
import type { Results } from '../results.ts';
import { reportText, resultName, rowText } from './whoami-text.ts';

export interface RowActs extends Disposable {
  run(asked: Extract<WhoamiAct, { readonly row: number }>, row: WhoamiRow): Promise<void>;
  copy(row: WhoamiRow): Promise<void>;
  /** All of its rows in one text. */
  openReport(report: WhoamiReport): Promise<void>;
  isTextOpen(): boolean;
  /** Results that are open as text get these answers. */
  follow(report: WhoamiReport): void;
}

export const createRowActs = (parts: {
  readonly model: { readonly configuration: Pick<TextDocument, 'isDirty' | 'uri'> | undefined };
  readonly samples: Pick<SampleCommands, 'keep'>;
  readonly results: Results;
}): RowActs => {
  const { model, samples, results } = parts;
  /** The sample that an open text is about, by the text's name: those in memory may be called alike. */
  const open = new Map<string, string>();

  const copy = (row: WhoamiRow): Promise<void> => copyCommandAbout(model.configuration, row);
  const openText = async (subject: string, name: string, text: string): Promise<void> => {
    open.set(name, subject);
    const uri = results.put(name, text);
    await window.showTextDocument(uri, { preview: true, viewColumn: -2 });
  };
  const closed = workspace.onDidCloseTextDocument(({ uri }) => {
    open.delete(uri.path.slice(1));
  });
  return {
    async run(asked, row) {
      switch (asked.kind) {
        case 'goToStep':
          return goToIfThere(row.steps[asked.index]?.place);
        case 'goToSource':
          return goToIfThere(row.sources[asked.index]?.place);
        case 'goToRefusal':
          return goToIfThere(row.place);
        case 'apply': {
          const change = row.whyNot[asked.index];
          if (change === undefined) return;
          return samples.keep(`${row.sample.name} ${change.text}`, change.claims);
        }
        case 'copy':
          return copy(row);
        case 'yaml':
          return openText(row.sample.id, resultName(row), rowText(row));
      }
    },
    copy,
    openReport: (report) => openText(everybody, nameOfAll, reportText(report)),
    isTextOpen: () => open.size > 0,
    follow(report) {
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
const everybody = '';

const goToIfThere = async (place: WhoamiRow['place']): Promise<void> => {
  if (place !== undefined) await goTo(place);
};
