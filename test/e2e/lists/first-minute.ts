/** Steps from an empty window to the first whoami with three commands. */
import { openStage, type Play } from '../stage.ts';
import { until } from '../until.ts';

const needsConfiguration = [
  'AuthGraph: Simulate Whoami',
  'AuthGraph: Show Authenticator Graph',
  'AuthGraph: Edit Sample',
  'AuthGraph: Restart Language Server',
];

export const firstMinute = async (play: Play): Promise<void> => {
  const stage = await openStage(play, { list: 'first-minute' });
  const { step, window, webviews, editor } = stage;
  await step('offers only commands that need no file', async () => {
    await until('a command is offered', () => window.offers('AuthGraph: New Configuration…'));
    for (const title of needsConfiguration) {
      if (await window.offers(title)) throw new Error(title);
    }
  });
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
  await step('offers the commands that need a configuration', async () => {
    for (const title of needsConfiguration) {
      await until(`${title} is offered`, () => window.offers(title));
    }
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
