/** Takes the pictures of the READMEs and the frames of the animation; runs only if it is named. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chooseSample } from '../choose-sample.ts';
import { configuration, exampleFolder, places } from '../example.ts';
import { openStage, type Play } from '../stage.ts';

const root = join(import.meta.dirname, '../../..');
const images = join(root, 'docs/images');
/** Frames of `docs/images/editor.gif`. */
const animation = join(root, '.cache/e2e/animation');

export const showcase = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'cluster');
  const stage = await openStage(play, { list: 'showcase', folder });
  const { page, step, window, editor, webviews } = stage;
  let frames = 0;
  const frame = async (): Promise<void> => {
    frames += 1;
    await page.mouse.move(640, 798);
    await page.screenshot({ path: join(animation, `${frames}.png`) });
  };
  const keep = async (name: string): Promise<void> => {
    await frame();
    await page.screenshot({ path: join(images, `editor-${name}.png`) });
  };
  mkdirSync(animation, { recursive: true });
  await page.setViewportSize({ width: 1280, height: 800 });

  await step('values next to the mappings, and completion of a claim', async () => {
    await window.open(configuration);
    await chooseSample(stage, 'ada');
    await editor.lens(/people:ada/).waitFor();
    await frame();
    await editor.replace(configuration, places.usernameClaim, '');
    await editor.suggest('preferred_username');
    await keep('authoring');
  });
  await step('a rejection and what would be accepted', async () => {
    await page.keyboard.press('Escape');
    await editor.revert();
    await editor.lens(/ada → people:ada/).waitFor();
    await chooseSample(stage, 'mallory');
    await editor.lens(/mallory rejected/).waitFor();
    await window.command('authgraph.whoami');
    await webviews.find('.why-not', 'email');
    await window.widenSideBar(440);
    await editor.hint(/✗/).waitFor();
    await keep('why-not');
  });
  await step('the graph with the path of a sample', async () => {
    await chooseSample(stage, 'ada');
    await window.command('authgraph.showGraph');
    await webviews.find('.picture [data-node].lit');
    await window.builtIn('View: Toggle Primary Side Bar Visibility');
    await window.builtIn('View: Toggle Maximize Editor Group');
    await (await webviews.find('.picture [data-node="jwt[0].claimMappings.groups"]')).hover();
    await webviews.find('#details h2');
    await keep('graph');
  });
  await step('the access changes of an edit', async () => {
    await window.builtIn('View: Close All Editors');
    await page.mouse.move(640, 798);
    await editor.replace(configuration, places.emailDomain, 'staff.example.com');
    await window.command('authgraph.previewChange');
    await window.row(/ada/).waitFor();
    await window.row(/Lost/).waitFor();
    await editor.lens(/ada rejected/).waitFor();
    await keep('preview');
  });
};
