/** A folder that is not trusted: what only reads works, what asks the network is off. */
import { chooseSample } from '../choose-sample.ts';
import { configuration, exampleFolder, places } from '../example.ts';
import { openStage, type Play } from '../stage.ts';

export const trust = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'untrusted');
  play.server.settings({
    'security.workspace.trust.enabled': true,
    'security.workspace.trust.startupPrompt': 'always',
  });
  const stage = await openStage(play, { list: 'trust', folder });
  const { step, window, editor, webviews } = stage;
  try {
    await step('is asked about trust, and given none', async () => {
      const question = window.dialog('trust');
      await question.waitFor();
      await question.locator('.monaco-button', { hasText: "No, I don't" }).click();
      await window.status('Restricted Mode').waitFor();
    });
    await step('checks a file that is not trusted', async () => {
      await window.open(configuration);
      await editor.replace(configuration, places.groups, 'gruops');
      await editor.errors.first().waitFor();
      await editor.revert();
    });
    await step('previews a sample of a folder that is not trusted', async () => {
      await chooseSample(stage, 'ada');
      await editor.hint('people:ada').waitFor();
      await window.command('authgraph.whoami');
      await webviews.find('.card.accepted dd', 'people:ada');
    });
    await step('asks no issuer for a folder that is not trusted', async () => {
      const title = play.titles.get('authgraph.askIssuers') ?? 'authgraph.askIssuers';
      await window.refuses(title);
    });
    await step('checks no signature with an issuer for a folder that is not trusted', async () => {
      const title = play.titles.get('authgraph.checkSignature') ?? 'authgraph.checkSignature';
      await window.refuses(title);
    });
  } finally {
    play.server.settings({});
  }
};
