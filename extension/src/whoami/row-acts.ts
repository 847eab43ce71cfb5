/** What a click in a card does: go to a line, copy, open as text, try a change of the claims. */
import type { WhoamiRow } from '@authgraph/language-server/protocol';
import { type Disposable, window, workspace } from 'vscode';
import type { SampleCommands } from '../identities/sample-commands.ts';
import type { WhoamiAct } from '../messages/whoami.ts';
import { goTo } from '../place.ts';
import { fileNameOf, type Results } from '../results.ts';
import { copyCommand } from '../telling.ts';

export interface RowActs extends Disposable {
  run(asked: Extract<WhoamiAct, { readonly row: number }>, row: WhoamiRow): Promise<void>;
  copy(row: WhoamiRow): Promise<void>;
  openText(row: WhoamiRow): Promise<void>;
  isTextOpen(): boolean;
  /** Results that are open as text get these answers. */
  follow(rows: readonly WhoamiRow[]): void;
}

export const createRowActs = (parts: {
  readonly samples: Pick<SampleCommands, 'keep'>;
  readonly results: Results;
}): RowActs => {
  const { samples, results } = parts;
  const openTexts = new Set<string>();

  const copy = (row: WhoamiRow): Promise<void> => copyCommand(row.commandLine);
  const openText = async (row: WhoamiRow): Promise<void> => {
    openTexts.add(resultName(row));
    const uri = results.put(resultName(row), row.yaml);
    await window.showTextDocument(uri, { preview: true, viewColumn: -2 });
  };
  const closed = workspace.onDidCloseTextDocument(({ uri }) => {
    openTexts.delete(uri.path.slice(1));
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
          return openText(row);
      }
    },
    copy,
    openText,
    isTextOpen: () => openTexts.size > 0,
    follow(rows) {
      for (const row of rows) {
        if (openTexts.has(resultName(row))) results.put(resultName(row), row.yaml);
      }
    },
    dispose: () => closed.dispose(),
  };
};

const resultName = ({ sample }: WhoamiRow): string => `whoami ${fileNameOf(sample.name)}.yaml`;

const goToIfThere = async (place: WhoamiRow['place']): Promise<void> => {
  if (place !== undefined) await goTo(place);
};
