/** Checks that all places that show the verdict on the current sample show the same. */
import type { Frame } from './browser.ts';
import type { Stage } from './stage.ts';
import { until } from './until.ts';

/**
 * Waits until lens, status bar, whoami and identities agree on the verdict on the current sample
 * and on whether the configuration loads, without touching the window. Places that are not visible
 * are skipped.
 */
export const expectAgreement = async (stage: Stage): Promise<void> => {
  let last = '';
  try {
    await until('lens, status bar, whoami and identities agree', async () => {
      const found = await verdictsShown(stage);
      last = JSON.stringify(found);
      return areEqual(found) && loadsEqually(found);
    });
  } catch (cause) {
    throw new Error(`they differ: ${last}`, { cause });
  }
};

interface ShownVerdict {
  /** One of ✓, ⚠, ✗, ○ and ?; empty if the place shows none. */
  readonly sign: string;
  /** The name of the sample and the rest of the headline. */
  readonly text: string;
}

interface ShownVerdicts {
  readonly status: ShownVerdict | undefined;
  /**
   * Only those of the authenticator of the current sample, because the other one shows a sample of
   * its own.
   */
  readonly lenses: readonly ShownVerdict[];
  /** The cards of the current sample. */
  readonly cards: readonly ShownVerdict[];
  /** The row of the current sample. */
  readonly rows: readonly ShownVerdict[];
  /** What the places report about a configuration that does not load; empty if it loads. */
  readonly loadFailures: {
    /** Absent while the top of the file is not visible, or if it loads. */
    readonly lens: string | undefined;
    /** Absent while whoami shows no card. */
    readonly whoami: string | undefined;
    /** Absent while the tree is not visible. */
    readonly identities: string | undefined;
  };
}

const doesNotLoad = /This configuration does not load \(\d+ errors?\)/;

const verdictsShown = async (stage: Stage): Promise<ShownVerdicts> => {
  const { page } = stage;
  const texts = async (selector: string): Promise<readonly string[]> =>
    (await page.locator(selector).allInnerTexts()).map(plain);
  const [statusText = ''] = (await texts('.part.statusbar .statusbar-item')).filter((text) =>
    text.startsWith('◉ '),
  );
  const [, name = '', sign = ''] = /^◉ (.*) (\S)$/.exec(statusText) ?? [];
  const lenses = (await texts('.editor-group-container .codelens-decoration')).map(
    (text) => text.split('|')[0]?.trim() ?? '',
  );
  const whoami = await whoamiShown(stage);
  return {
    status: name === '' ? undefined : { sign, text: name },
    lenses: lenses
      .filter((text) => /^[✓⚠✗○?] /.test(text) && !doesNotLoad.test(text))
      .filter((text) => isOfPipeline(text) === isOfPipeline(name))
      .map((text) => ({ sign: text.slice(0, 1), text: text.slice(2) })),
    cards: whoami.cards.filter(({ text }) => name !== '' && `${text} `.startsWith(`${name} `)),
    rows: await rowsShown(stage),
    loadFailures: {
      lens: lenses.map(failureIn).find((text) => text !== ''),
      whoami: whoami.cards.length === 0 ? undefined : whoami.loadFailure,
      identities: await failureAboveRows(stage),
    },
  };
};

/** The class of a card by its sign. */
const cardClasses: Readonly<Record<string, string>> = {
  '✓': 'accepted',
  '⚠': 'acceptedWithNote',
  '✗': 'rejected',
  '○': 'noOpinion',
  '?': 'undecided',
};

/** Returns the cards; the sign of a card is its text and its color. */
const whoamiShown = async ({ webviews }: Stage) => {
  const cards: ShownVerdict[] = [];
  let loadFailure = '';
  for (const frame of await webviews.all()) {
    for (const [classes, heading] of await classesAndTexts(frame, '.card', ':scope > h2')) {
      const text = plain(heading);
      const sign = text.slice(0, 1);
      const isColored = classes.split(' ').includes(cardClasses[sign] ?? '');
      cards.push({ sign: isColored ? sign : '', text: text.slice(1).trim() });
    }
    const failures = await frame.locator('.load-failure h2').allInnerTexts();
    loadFailure ||= failureIn(failures.join(' '));
  }
  return { cards, loadFailure };
};

/** The icon of a row by its sign. */
const rowIcons: Readonly<Record<string, string>> = {
  '✓': 'pass-filled',
  '⚠': 'warning',
  '✗': 'error',
  '○': 'circle-slash',
  '?': 'question',
};

const rowsShown = async ({ page }: Stage): Promise<readonly ShownVerdict[]> => {
  const rows = await classesAndTexts(
    page,
    '.part.sidebar .monaco-list-row .custom-view-tree-node-item',
    ':scope',
    '.custom-view-tree-node-item-icon',
  );
  return rows
    .filter(([, text]) => text.includes('◉'))
    .map(([classes, text]) => {
      const names = classes.split(' ');
      const sign = Object.keys(rowIcons).find((each) =>
        names.includes(`codicon-${rowIcons[each]}`),
      );
      return { sign: sign ?? '', text: plain(text.replace('◉', ' ')) };
    });
};

/**
 * Returns the classes and the text of parts of all elements with a selector, read at once because
 * they may be drawn again.
 */
const classesAndTexts = async (
  frame: Pick<Frame, 'evaluate'>,
  selector: string,
  textSelector: string,
  classSelector = ':scope',
): Promise<readonly (readonly [classes: string, text: string])[]> => {
  const part = (name: string): string =>
    name === ':scope' ? 'element' : `element.querySelector(${JSON.stringify(name)})`;
  const code = `JSON.stringify([...document.querySelectorAll(${JSON.stringify(selector)})].map(
    (element) => [${part(classSelector)}?.className ?? '', ${part(textSelector)}?.innerText ?? '']))`;
  return JSON.parse(String(await frame.evaluate(code)));
};

/** Returns `undefined` if the rows are not visible. */
const failureAboveRows = async ({ page }: Stage): Promise<string | undefined> => {
  const view = page.locator('.part.sidebar .pane-body', {
    has: page.locator('.monaco-list-row', { hasText: '◉ ' }),
  });
  if ((await view.count()) === 0) return undefined;
  return failureIn(plain(await view.first().innerText()));
};

const failureIn = (text: string): string => doesNotLoad.exec(text)?.[0] ?? '';

const areEqual = ({ status, lenses, cards, rows }: ShownVerdicts): boolean => {
  // The status bar shows the sample only while a configuration or a sample is visible.
  if (status === undefined) return lenses.length === 0;
  const { sign, text: name } = status;
  const [row] = rows;
  const [card] = cards;
  const restOf = (text: string): string => text.slice(name.length).replace(/^[\s:]+/, '');
  const isOfStatus = (shown: ShownVerdict): boolean =>
    shown.sign === sign &&
    /^$|^[\s:]/.test(shown.text.slice(name.length)) &&
    shown.text.startsWith(name);
  return (
    lenses.every(
      (lens) => isOfStatus(lens) && (row === undefined || row.text.includes(restOf(lens.text))),
    ) &&
    (card === undefined || isOfStatus(card)) &&
    (row === undefined || isOfStatus(row))
  );
};

/** Returns whether the places agree on the errors; a file that does not load accepts no one. */
const loadsEqually = ({ status, loadFailures }: ShownVerdicts): boolean => {
  const shown = Object.values(loadFailures).filter((text) => text !== undefined);
  const [first = ''] = shown;
  return shown.every((text) => text === first) && (first === '' || status?.sign !== '✓');
};

/** Returns whether a text names the only sample of the example's second authenticator. */
const isOfPipeline = (text: string): boolean => /\bbuild\b/.test(text);

/** Returns the text with single spaces in place of white space of any kind. */
const plain = (text: string): string => text.replaceAll(/[\s\u00a0]+/g, ' ').trim();
