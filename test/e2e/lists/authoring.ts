/** Writing a configuration: errors, fixes, completion, values beside the mappings. */
import { activationOf } from '../activation.ts';
import { exampleFolder } from '../example.ts';
import { openStage, type Play } from '../stage.ts';

export const authoring = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'authoring');
  const stage = await openStage(play, { list: 'authoring', folder });
  const { page, step, window, editor } = stage;
  await step('opens a configuration', async () => {
    await window.open(file);
    await editor.line('AuthenticationConfiguration').waitFor();
  });
  await step('marks a misspelt field while it is typed', async () => {
    await editor.replace(file, place.groups, 'gruops');
    await editor.errors.first().waitFor();
  });
  await step('says what is wrong in the hover and in the list of problems', async () => {
    await window.open(file, place.groups.line, place.groups.column);
    await editor.hover('gruops');
    await page.keyboard.press('Escape');
    const problems = await window.problems();
    if (!problems.some((text) => text.includes('gruops'))) throw new Error(`${problems}`);
  });
  await step('mends it by the quick fix', async () => {
    await window.open(file, place.groups.line, place.groups.column);
    await editor.fix(/groups/);
    await editor.errors.first().waitFor({ state: 'detached' });
  });
  await step('runs on the host it should, and was activated quickly', async () => {
    const { milliseconds, place: where } = await activationOf(stage, 'AuthGraph');
    const wanted = play.host === 'web' ? 'web worker' : 'server';
    if (where !== wanted) throw new Error(`it runs in the ${where}`);
    play.note(`activation: ${milliseconds} ms`);
  });
};

const file = 'authentication.yaml';
/** Where things stand in it. */
const place = {
  groups: { line: 17, column: 5, length: 6 },
} as const;
