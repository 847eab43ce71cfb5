/** Steps from an empty window to the first whoami with three commands. */
import { openStage, type Play } from '../stage.ts';

export const firstMinute = async (play: Play): Promise<void> => {
  const stage = await openStage(play, { list: 'first-minute' });
  const { step, window, webviews, editor } = stage;
  await step('opens the list of providers', async () => {
    await window.command('authgraph.newConfiguration');
    await window.choices.filter({ hasText: 'Keycloak' }).first().waitFor();
  });
  await step('creates a configuration and a sample for the provider', async () => {
    await window.choose('Keycloak');
    await editor.line('AuthenticationConfiguration').waitFor();
    await editor.hint('keycloak:ada').waitFor();
    await webviews.find('.card.accepted');
  });
  await step('shows the user of the sample', async () => {
    await window.command('authgraph.whoami');
    await webviews.find('.card.accepted');
    await stage.wellMade();
  });
  await step('draws the graph of the new configuration', async () => {
    await window.command('authgraph.showGraph');
    await webviews.find('.picture [data-node].lit');
  });
};
