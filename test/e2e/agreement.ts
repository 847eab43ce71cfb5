/** Checks that all places that show the verdict on the current sample show the same. */
import type { Stage } from './stage.ts';
import { until } from './until.ts';

/**
 * Waits until lens, status bar, whoami and identities agree, without touching the window. Places
 * that are not visible are skipped.
 */
export const expectAgreement = async (stage: Stage): Promise<void> => {
  let last = '';
  try {
    await until('lens, status bar, whoami and identities agree', async () => {
      const found = await verdictsShown(stage);
      last = JSON.stringify(found);
      return areEqual(found);
    });
  } catch (cause) {
    throw new Error(`they differ: ${last}`, { cause });
  }
};

interface ShownVerdicts {
  /** The sign and the name of the current sample in the status bar: `✓ ada`. */
  readonly status: string | undefined;
  /**
   * The sign and the headline: `✓ ada → people:ada · 2 groups`; only those of the authenticator of
   * the current sample, because the other one shows a sample of its own.
   */
  readonly lenses: readonly string[];
  /** The sign and the name on the card of the current sample. */
  readonly cards: readonly string[];
  /** The row of the current sample, with its name and the rest of the headline. */
  readonly rows: readonly string[];
}

const verdictsShown = async ({ page, webviews }: Stage): Promise<ShownVerdicts> => {
  const texts = async (selector: string): Promise<readonly string[]> =>
    (await page.locator(selector).allInnerTexts()).map(plain);
  const [status = ''] = (await texts('.part.statusbar .statusbar-item')).filter((text) =>
    text.startsWith('◉ '),
  );
  const [, name = '', sign = ''] = /^◉ (.*) (\S)$/.exec(status) ?? [];
  const lenses = (await texts('.editor-group-container .codelens-decoration'))
    .map((text) => text.split('|')[0]?.trim() ?? '')
    .filter((text) => /^[✓⚠✗○?] /.test(text))
    .filter((text) => isOfPipeline(text) === isOfPipeline(name));
  const headings = await Promise.all(
    (await webviews.all()).map((frame) => frame.locator('.card > h2').allInnerTexts()),
  );
  const cards = headings.flat().map(plain);
  const rows = (await texts('.part.sidebar .monaco-list-row')).filter((text) =>
    text.includes('◉ '),
  );
  return {
    status: name === '' ? undefined : `${sign} ${name}`,
    lenses,
    cards: cards.filter((text) => name !== '' && ` ${text} `.includes(` ${name} `)),
    rows,
  };
};

const areEqual = ({ status, lenses, cards, rows }: ShownVerdicts): boolean => {
  // The status bar shows the sample only while a configuration or a sample is visible.
  if (status === undefined) return lenses.length === 0 && cards.length === 0;
  const name = status.slice(2);
  const [row] = rows;
  const isStatus = (text: string): boolean => `${text} `.startsWith(`${status} `);
  return (
    lenses.every(
      (text) =>
        isStatus(text) && (row === undefined || row.includes(text.slice(status.length).trim())),
    ) &&
    cards.slice(0, 1).every(isStatus) &&
    (row === undefined || row.startsWith(name))
  );
};

/** Returns whether a text names the only sample of the example's second authenticator. */
const isOfPipeline = (text: string): boolean => /\bbuild\b/.test(text);

/** Returns the text with single spaces in place of white space of any kind. */
const plain = (text: string): string => text.replaceAll(/[\s\u00a0]+/g, ' ').trim();
