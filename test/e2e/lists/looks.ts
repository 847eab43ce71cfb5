/** The main pages in every kind of theme, and at 200 %. */
import { chooseSample } from '../choose-sample.ts';
import { configuration, exampleFolder } from '../example.ts';
import { openStage, type Play, type Stage } from '../stage.ts';
import { until } from '../until.ts';

const themes = [
  ['light', 'Light Modern', 'vscode-light'],
  ['dark', 'Dark Modern', 'vscode-dark'],
  ['dark high contrast', 'Dark High Contrast', 'vscode-high-contrast'],
  ['light high contrast', 'Light High Contrast', 'vscode-high-contrast-light'],
] as const;

export const looks = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'looks');
  const stage = await openStage(play, { list: 'looks', folder });
  const { step, window, webviews } = stage;

  await step('shows whoami and the graph', async () => {
    await window.open(configuration);
    await chooseSample(stage, 'ada');
    await window.command('authgraph.whoami');
    await webviews.find('.card.accepted dd', 'people:ada');
    await window.command('authgraph.showGraph');
    await webviews.find('.picture [data-node].lit');
  });
  for (const [name, theme, mark] of themes) {
    await step(`is accessible in ${name}`, async () => {
      await chooseSample(stage, 'ada');
      await chooseTheme(stage, theme);
      await drawn(stage, mark);
      await webviews.find('.card.accepted dd', 'people:ada');
      await stage.wellMade();
    });
    await step(`shows a rejection in ${name}`, async () => {
      await chooseSample(stage, 'mallory');
      await webviews.find('.card.rejected', 'mallory');
      await webviews.find('.picture [data-node].failed');
      await stage.wellMade();
    });
  }
  await step('shows the graph at 200 %', async () => {
    await chooseTheme(stage, 'Dark Modern');
    await drawn(stage, 'vscode-dark');
    await stage.zoom(2);
    await webviews.find('.picture [data-node]');
    await stage.wellMade();
  });
  await step('shows a rejection at 200 %', async () => {
    await window.builtIn('View: Close All Editors');
    await window.open(configuration);
    await window.command('authgraph.whoami');
    await webviews.find('.card.rejected', 'mallory');
    await stage.wellMade();
  });
  await step('shows every sample at 200 %', async () => {
    await window.command('authgraph.whoamiAll');
    await webviews.find('.card.accepted', 'grace');
    await stage.wellMade();
  });
  await step('shows hints at 200 %', async () => {
    await window.builtIn('View: Toggle Primary Side Bar Visibility');
    await chooseSample(stage, 'ada');
    await stage.editor.hint('people:ada').waitFor();
  });
};

const chooseTheme = async ({ window }: Stage, name: string): Promise<void> => {
  await window.builtIn('Preferences: Color Theme');
  await window.choose(name);
};

/** Waits until the pages have the colors of the theme. */
const drawn = ({ webviews }: Stage, mark: string): Promise<void> =>
  until(`every page is ${mark}`, async () => {
    const frames = await webviews.all();
    const classes = await Promise.all(
      frames.map((frame) => frame.evaluate('document.body.className')),
    );
    return classes.every((names) => String(names).split(' ').includes(mark));
  });
