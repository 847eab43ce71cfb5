/** Steps for exports: pictures of the graph, CLI commands, and the comparison with Git. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseSample } from '../choose-sample.ts';
import { copiedBy } from '../clipboard.ts';
import { configuration, exampleFolder, places } from '../example.ts';
import { expectText } from '../expect.ts';
import { commitAll } from '../git-folder.ts';
import { openStage, type Play } from '../stage.ts';
import { until } from '../until.ts';

export const results = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'results');
  commitAll(folder);
  play.server.settings({ 'git.enabled': true });
  const stage = await openStage(play, { list: 'results', folder });
  const { page, step, window, editor, webviews } = stage;
  const exported = async (format: string, ending: string): Promise<Buffer> => {
    await until(`${format} is chosen`, async () => {
      await window.command('authgraph.exportGraph');
      await window.choices.filter({ hasText: format }).first().click({ timeout: 5000 });
      return true;
    });
    await window.acceptFile('Export Graph');
    let file: string | undefined;
    await until(`a file .${ending} is written`, () => {
      file = readdirSync(folder).find((name) => name.endsWith(`.${ending}`));
      return file !== undefined && readFileSync(join(folder, file)).length > 0;
    });
    await window.message(new RegExp(`exported .*\\.${ending}`)).waitFor();
    await window.closeMessages();
    await window.builtIn('View: Show Explorer');
    await window.row(`.${ending}`).waitFor();
    return readFileSync(join(folder, file ?? ''));
  };
  try {
    await step('applies all safe fixes', async () => {
      await editor.replace(configuration, places.groups, 'gruops');
      await editor.replace(configuration, places.ruleMessage, 'mesage');
      await editor.errors.nth(1).waitFor();
      await until('the errors are fixed', async () => {
        await window.builtIn('Fix All');
        await editor.errors.first().waitFor({ state: 'detached', timeout: 5000 });
        return true;
      });
      await editor.line('message: only people').waitFor();
      await editor.line('groups:').waitFor();
    });
    await step('scrolls to the node that rejects', async () => {
      await editor.revert();
      await chooseSample(stage, 'mallory');
      await window.command('authgraph.showGraph');
      const frame = await webviews.holding('.picture [data-node].failed');
      await until('the node is in sight', async () => (await frame.evaluate(isInSight)) === true);
      await stage.wellMade();
    });
    await step('copies the graph command', async () => {
      // In a browser files have no path that a shell could read.
      const wanted =
        play.host === 'web'
          ? /^authgraph graph --claims - \S+$/
          : /^authgraph graph --claims \S+mallory\.claims\.yaml \S+authentication\.yaml$/;
      await copiedBy(page, wanted, async () => {
        await (await webviews.find('.toolbar summary', 'More')).click();
        await (await webviews.find('.toolbar button', 'Copy as CLI Command')).click();
      });
    });
    await step('writes the graph as SVG', async () => {
      const text = (await exported('SVG', 'svg')).toString('utf8');
      expectText(text, /^<svg [\s\S]*people of example\.com|^<svg [\s\S]*login\.example\.com/);
      expectText(text, /<\/svg>\s*$/);
    });
    await step('writes the graph as PNG', async () => {
      const bytes = await exported('PNG', 'png');
      const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
      expectText(bytes.subarray(1, 4).toString('latin1'), 'PNG');
      if (width < 500 || height < 200) throw new Error(`it has ${width} × ${height} pixels`);
    });
    await step('writes the graph as Mermaid', async () => {
      const text = (await exported('Mermaid', 'mmd')).toString('utf8');
      expectText(text, /^flowchart|^graph/m);
      expectText(text, 'login.example.com');
    });
    await step('compares access with the last commit', async () => {
      await window.builtIn('View: Close All Editors');
      await editor.replace(configuration, places.usernamePrefix, 'staff:');
      await editor.save();
      if (play.host === 'web') {
        // VS Code's Git extension runs on the other host.
        await window.expectUnavailable('Compare Access with HEAD');
        return;
      }
      await until('the repository is open', async () => {
        await window.closeMessages();
        await window.command('authgraph.compareWithHead');
        await window.row(/people:ada.*⇒.*staff:ada/s).waitFor({ timeout: 3000 });
        return true;
      });
      await window.row('Since the last commit').waitFor();
    });
    await step('copies the diff command', async () => {
      if (play.host === 'web') {
        await window.closeMessages();
        await window.command('authgraph.copyChangeCommand');
        await window.message('not available in a browser').waitFor();
        return;
      }
      const wanted =
        /^git -C \S+ show HEAD:\.\/authentication\.yaml \| authgraph diff - \S+ --claims/;
      await copiedBy(page, wanted, () => window.command('authgraph.copyChangeCommand'));
    });
  } finally {
    play.server.settings({});
  }
};

/** Evaluates to whether the node is inside the page and not covered by the details. */
const isInSight = `(() => {
  const { top, right, bottom, left } =
    document.querySelector('.picture [data-node].failed').getBoundingClientRect();
  const end = document.querySelector('#details').getBoundingClientRect().top;
  return left >= 0 && right <= innerWidth && top >= 0 && bottom <= Math.min(end, innerHeight);
})()`;
