/** Steps in an untrusted folder: reading works, network access is off. */
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
    await step('prompts for trust, which is declined', async () => {
      const question = window.dialog('trust');
      await question.waitFor();
      await question.locator('.monaco-button', { hasText: "No, I don't" }).click();
      await window.status('Restricted Mode').waitFor();
    });
    await step('checks a file in an untrusted folder', async () => {
      await window.open(configuration);
      await editor.replace(configuration, places.groups, 'gruops');
      await editor.errors.first().waitFor();
      await editor.revert();
    });
    await step('previews a sample in an untrusted folder', async () => {
      await chooseSample(stage, 'ada');
      await editor.hint('people:ada').waitFor();
      await window.command('authgraph.whoami');
      await webviews.find('.card.accepted dd', 'people:ada');
    });
    await step('does not run the doctor in an untrusted folder', async () => {
      const title = play.titles.get('authgraph.checkIssuers') ?? 'authgraph.checkIssuers';
      await window.expectUnavailable(title);
    });
    await step('does not fetch issuer keys in an untrusted folder', async () => {
      const title = play.titles.get('authgraph.checkSignature') ?? 'authgraph.checkSignature';
      await window.expectUnavailable(title);
    });
  } finally {
    play.server.settings({});
  }
};
