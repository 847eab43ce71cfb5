/** Many authenticators, a narrow side bar, and 200 %: the path and the identity stay in sight. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from '../browser.ts';
import { chooseSample } from '../choose-sample.ts';
import { configuration, exampleFolder } from '../example.ts';
import { openStage, type Play } from '../stage.ts';
import { until } from '../until.ts';

const file = 'many.yaml';
/** The authenticator of the samples, and one with an error. */
const [own, invalid, wanted] = [40, 5, 60];

const issuerOf = (index: number): string => `https://login-${index}.identity.example.com/realms/r`;

const entryOf = (index: number, username: string): string => `
- issuer: { url: "${issuerOf(index)}", audiences: [cluster] }
  claimValidationRules:
  - { expression: "claims.email.endsWith('@example.com')", message: only people of example.com }
  claimMappings:
    username: { expression: "'entra-${index}:' + ${username}" }
    groups: { claim: groups, prefix: "entra:" }
    uid: { claim: sub }`;

const claims = {
  iss: issuerOf(own),
  aud: 'cluster',
  exp: 4102444800,
  sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
  oid: '0f1e2d3c-0001-4c1c-9f1f-3a3c0a7a1f11',
  email: 'nora@example.com',
  groups: ['platform-administrators', '9f1f2d3c-0001-4c1c-9f1f-3a3c0a7a1f77'],
};

export const sizes = async (play: Play): Promise<void> => {
  const folder = exampleFolder(play, 'sizes');
  /** Writes the configuration with this username of one authenticator. */
  const writeConfiguration = (username: string): void => {
    const entries = Array.from({ length: 64 }, (_, index) =>
      entryOf(index, index === invalid ? username : 'claims.oid'),
    );
    const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:';
    writeFileSync(join(folder, file), `${head}${entries.join('')}\n`);
  };
  writeConfiguration('claims.');
  const write = (name: string, text: object): void =>
    writeFileSync(join(folder, `people/${name}.claims.json`), JSON.stringify(text));
  write('nora', claims);
  write('otto', { ...claims, email: 'otto@example.org' });
  const stage = await openStage(play, { list: 'sizes', folder });
  const { page, step, window, webviews } = stage;
  const lit = `.lit[data-node="jwt[${own}].issuer"]`;

  await step('opens the graph of 64 authenticators at the path of the sample', async () => {
    await window.open(file);
    await chooseSample(stage, 'nora');
    await window.command('authgraph.showGraph');
    const frame = await webviews.holding(`svg.down ${lit}`);
    await inSight(frame, lit);
    await inSight(frame, '.picture .lit[data-node="request"]');
    await fitsAndIsReadable(frame);
    await stage.wellMade();
  });
  await step('folds other authenticators, and hatches the one with an error', async () => {
    await webviews.find(`.picture .invalid[data-node="jwt[${invalid}]"] .hatches`);
    await webviews.find('.problem', 'This configuration does not load (1 error)');
    const frame = await webviews.holding(lit);
    const rows = await frame.evaluate(
      `document.querySelectorAll('.picture [data-node^="jwt["]:not([data-node*="."])').length`,
    );
    if (rows !== 63) throw new Error(`${rows} rows`);
  });
  await step('finds an authenticator', async () => {
    const box = await webviews.find('input.find');
    await box.fill(`login-${wanted}.`);
    await box.press('Enter');
    const found = `.picture .found-now[data-node="jwt[${wanted}]"]`;
    await inSight(await webviews.holding(found), found);
    await webviews.find('#details h2', `login-${wanted}.`);
    await stage.wellMade();
    await box.press('Escape');
  });
  await step('zooms with keys, and pans with the mouse', async () => {
    const frame = await webviews.holding('svg.down [data-node]:focus');
    await page.keyboard.press('+');
    await webviews.find('[data-key="zoom.fit"]', '125 %');
    const drawing = await webviews.find('.drawing');
    const before = Number(await frame.evaluate(scrolled));
    const area = await drawing.boundingBox();
    if (area === null) throw new Error('no picture');
    const from = { x: area.x + area.width / 2, y: 500 };
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x - 40, from.y + 60, { steps: 4 });
    await page.mouse.up();
    await until('the picture moved', async () => {
      const after = Number(await frame.evaluate(scrolled));
      const across = Number(await frame.evaluate(`document.querySelector('.drawing').scrollLeft`));
      return after < before && across > 0;
    });
    await (await webviews.find('.picture .lit[data-node="request"]')).focus();
    await page.keyboard.press('0');
    await webviews.find('[data-key="zoom.fit"]', '100 %');
    await fitsAndIsReadable(frame);
  });
  await step('keeps its file while another configuration is edited', async () => {
    await window.builtIn('View: Focus First Editor Group');
    await window.open(configuration);
    await chooseSample(stage, 'ada');
    await webviews.find('.toolbar .sample', 'ada');
    await webviews.find('.picture h2', '64 authenticators');
    await page
      .locator('.tab', { hasText: `Graph: ${file}` })
      .first()
      .waitFor();
  });
  await step('draws from left to right in a wide panel', async () => {
    await window.builtIn('View: Close All Editors');
    await window.open(file);
    await chooseSample(stage, 'nora');
    await window.command('authgraph.showGraph');
    await webviews.find('svg.down');
    await window.builtIn('View: Toggle Primary Side Bar Visibility');
    await window.builtIn('View: Toggle Maximize Editor Group');
    const frame = await webviews.holding(`svg.across ${lit}`);
    await inSight(frame, lit);
    await fitsAndIsReadable(frame);
    await stage.wellMade();
    await window.builtIn('View: Toggle Maximize Editor Group');
    await window.builtIn('View: Toggle Primary Side Bar Visibility');
  });
  await step('shows the identity in 300 pixels', async () => {
    await window.builtIn('View: Close All Editors');
    writeConfiguration('claims.oid');
    await window.open(file);
    await window.command('authgraph.whoami');
    await webviews.find('.card.accepted .user dd', 'platform-administrators');
    await window.widenSideBar(300);
    const frame = await webviews.holding('.card .user');
    await until(
      'the side bar is narrow',
      async () => Number(await frame.evaluate('innerWidth')) <= 300,
    );
    await expectIdentity(frame);
    await stage.wellMade();
  });
  await step('shows the identity at 200 %', async () => {
    await stage.zoom(2);
    await expectIdentity(await webviews.holding('.card .user'));
    await stage.wellMade();
  });
  await step('shows the reason of a rejection at 200 %', async () => {
    await chooseSample(stage, 'otto');
    const frame = await webviews.holding('.card.rejected .reason', 'only people of example.com');
    await inSight(frame, '.card .reason button.line');
    await stage.wellMade();
  });
};

const scrolled = 'document.scrollingElement.scrollTop';

/** Waits until an element is inside the page and not covered by the toolbar or the details. */
const inSight = (frame: Frame, selector: string): Promise<void> =>
  until(`${selector} is in sight`, async () => {
    const seen = await frame.evaluate(`(() => {
      const { top, right, bottom, left } =
        document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      const start = document.querySelector('.graph .toolbar')?.getBoundingClientRect().bottom ?? 0;
      return left >= 0 && right <= innerWidth + 1 && top >= start - 1 && bottom <= innerHeight;
    })()`);
    return seen === true;
  });

/** Waits until the picture has the width of the page, with letters of at least 7 pixels. */
const fitsAndIsReadable = (frame: Frame): Promise<void> =>
  until('the picture fits and is readable', async () => {
    const fits = await frame.evaluate(`(() => {
      const drawing = document.querySelector('.drawing');
      const drawn = drawing.querySelector('svg');
      const scale = drawn.getBoundingClientRect().width / drawn.viewBox.baseVal.width;
      return drawing.scrollWidth <= drawing.clientWidth + 1 && 11 * scale >= 7;
    })()`);
    return fits === true;
  });

/** Waits until the verdict and the username are in sight without scrolling, parts unbroken. */
const expectIdentity = async (frame: Frame): Promise<void> => {
  const scroll = await frame.evaluate(scrolled);
  if (scroll !== 0) throw new Error(`scrolled to ${scroll}`);
  await inSight(frame, '.card h2');
  await inSight(frame, '.card .user dd');
  const broken = await frame.evaluate(`[...document.querySelectorAll('.card .user .unit')]
    .filter((unit) => unit.textContent === 'platform-administrators')
    .filter((unit) => unit.offsetHeight > 1.5 * Number.parseFloat(getComputedStyle(unit).fontSize))
    .length`);
  if (broken !== 0) throw new Error('a part that fits on a line is broken');
};
