/** Marks the lines of a configuration that reject what was accepted before. */
import { MarkdownString, OverviewRulerLane, ThemeColor, Uri, window } from 'vscode';
import { rangeOf } from '../place.ts';
import type { Loss } from './change-summary.ts';

export type LossMarks = Pick<ReturnType<typeof createLossMarks>, 'show'>;

export const createLossMarks = (extension: Uri) => {
  const mark = window.createTextEditorDecorationType({
    isWholeLine: true,
    gutterIconPath: Uri.joinPath(extension, 'media', 'lost.svg'),
    gutterIconSize: 'contain',
    overviewRulerColor: new ThemeColor('charts.red'),
    overviewRulerLane: OverviewRulerLane.Left,
  });
  let losses: readonly Loss[] = [];
  let title = '';
  const show = (): void => {
    for (const editor of window.visibleTextEditors) {
      const uri = editor.document.uri.toString();
      const own = losses.filter(({ place }) => place.uri === uri);
      editor.setDecorations(
        mark,
        own.map(({ place, text }) => ({
          range: rangeOf(place),
          // Names and claims are untrusted, and in a code block nothing is interpreted.
          hoverMessage: new MarkdownString().appendCodeblock(`${title}:\n${text}`, 'text'),
        })),
      );
    }
  };
  const subscription = window.onDidChangeVisibleTextEditors(show);
  return {
    /** Replaces the marks; `newTitle` describes the comparison. */
    show(newLosses: readonly Loss[], newTitle: string): void {
      losses = newLosses;
      title = newTitle;
      show();
    },
    dispose: (): void => {
      subscription.dispose();
      mark.dispose();
    },
  };
};
