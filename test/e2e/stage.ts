/** A window on a folder, and the steps that run in it. Each step takes a picture. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findClipped, findViolations } from './accessibility.ts';
import type { BrowserContext, Page } from './browser.ts';
import type { CodeServer, Host } from './code-server.ts';
import { expectTree, type View } from './recorded-tree.ts';
import { type TextEditor, textEditor } from './text-editor.ts';
import { type Webviews, webviews } from './webviews.ts';
import { type Workbench, workbench } from './workbench.ts';

export interface StepResult {
  readonly list: string;
  readonly name: string;
  readonly milliseconds: number;
  readonly picture: string;
  readonly failure?: string;
}

/** The environment of a list of steps. */
export interface Play {
  readonly host: Host;
  readonly server: CodeServer;
  readonly context: BrowserContext;
  /** The folder for pictures. */
  readonly pictures: string;
  /** Palette titles by command ID, from the manifest of the packed extension. */
  readonly titles: ReadonlyMap<string, string>;
  /** Names of other extensions whose activation is measured for comparison. */
  readonly compared: readonly string[];
  /** Whether accessibility trees are recorded instead of compared. */
  readonly recordsTrees: boolean;
  /** Every URL that a window, worker or page requested. */
  readonly requested: ReadonlySet<string>;
  record(result: StepResult): void;
  /** Adds a measurement to the report. */
  note(text: string): void;
}

export interface Stage {
  readonly page: Page;
  readonly play: Play;
  readonly window: Workbench;
  readonly editor: TextEditor;
  readonly webviews: Webviews;
  step(name: string, action: () => Promise<void>): Promise<void>;
  /** Fails if text is clipped or axe finds a serious violation. */
  wellMade(): Promise<void>;
  /** Fails if the accessibility tree of a view differs from the recorded one. */
  expectTree(name: string, view: View): Promise<void>;
  /** Zooms like the browser does: fewer CSS pixels in the same window. */
  zoom(factor: number): Promise<void>;
  close(): Promise<void>;
}

export interface StageOptions {
  /** The name of the list. */
  readonly list: string;
  /** The folder or workspace file to open; absent for an empty window. */
  readonly folder?: string;
}

/** The size of the browser window in CSS pixels. */
export const windowSize = { width: 1400, height: 900 };
let pictureNumber = 0;

export const openStage = async (play: Play, { list, folder }: StageOptions): Promise<Stage> => {
  const page = await play.context.newPage();
  const pageErrors: string[] = [];
  page.on('pageerror', ({ message }) => pageErrors.push(message));
  if (process.env.AUTHGRAPH_E2E_CONSOLE !== undefined) {
    page.on('console', (message) => console.error(message.type(), message.text().slice(0, 400)));
  }
  await page.setViewportSize(windowSize);
  const kind = folder?.endsWith('.code-workspace') ? 'workspace' : 'folder';
  const query = folder === undefined ? 'ew=true' : `${kind}=${encodeURIComponent(folder)}`;
  await page.goto(`${play.server.address}/?${query}`);
  const window = workbench(page, play.titles);
  await window.ready();
  const inner = webviews(page);
  /** Takes zoomed pictures, because the driver's own screenshot resets the zoom. */
  let zoomed: (() => Promise<Buffer>) | undefined;
  const picture = async (name: string): Promise<string> => {
    pictureNumber += 1;
    const file = `${String(pictureNumber).padStart(2, '0')}-${list}-${dashed(name)}.png`;
    // Moves the pointer away from anything with a tooltip; two moves, so that at least one is
    // registered.
    await page.mouse.move(windowSize.width / 2, windowSize.height - 40);
    await page.mouse.move(windowSize.width / 2, windowSize.height - 2);
    await painted(page, inner);
    const path = join(play.pictures, file);
    if (zoomed === undefined) await page.screenshot({ path });
    else writeFileSync(path, await zoomed());
    return file;
  };
  let failures = 0;
  const step = async (name: string, action: () => Promise<void>): Promise<void> => {
    const started = performance.now();
    const milliseconds = (): number => Math.round(performance.now() - started);
    try {
      await action();
      const took = milliseconds();
      play.record({ list, name, milliseconds: took, picture: await picture(name) });
    } catch (cause) {
      const took = milliseconds();
      const file = await picture(`${name} FAILED`);
      const failure = [
        describeError(cause),
        ...pageErrors.map((text) => `in the page: ${text}`),
        ...(await visibleTexts(page)),
      ].join('\n');
      play.record({ list, name, milliseconds: took, picture: file, failure });
      failures += 1;
      if (failures === maxFailures) throw new StepFailed(name);
      await page.keyboard.press('Escape');
    }
  };
  return {
    page,
    play,
    window,
    editor: textEditor(page, window),
    webviews: inner,
    step,
    wellMade: async () => {
      const faults = [...(await findClipped(inner)), ...(await findViolations(inner))];
      if (faults.length > 0) throw new Error(faults.join('\n'));
    },
    expectTree: async (name, view) =>
      expectTree(await play.context.newCDPSession(page), {
        name,
        view,
        isRecorded: play.recordsTrees,
        output: play.pictures,
      }),
    zoom: async (factor) => {
      const { width, height } = windowSize;
      const session = await play.context.newCDPSession(page);
      await session.send('Emulation.setDeviceMetricsOverride', {
        width: Math.round(width / factor),
        height: Math.round(height / factor),
        deviceScaleFactor: factor,
        mobile: false,
      });
      zoomed = async () => {
        const answer = await session.send('Page.captureScreenshot', { format: 'png' });
        return Buffer.from((answer as { readonly data: string }).data, 'base64');
      };
    },
    close: () => page.close(),
  };
};

/**
 * A list continues until it has this many failures, so that one run reports more than the first.
 */
const maxFailures = 3;

/** Waits until the documents have been painted. */
const painted = async (page: Page, inner: Webviews): Promise<void> => {
  const twoFrames =
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))';
  for (const document of [...(await inner.all()), page]) {
    await Promise.race([
      document.evaluate(twoFrames).catch(() => false),
      page.waitForTimeout(1000),
    ]);
  }
};

/** Ends a list after too many failures. */
export class StepFailed extends Error {}

const dashed = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const describeError = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause === undefined ? '' : `\n${describeError(cause.cause)}`;
  return `${cause.message.replace(/\u001b\[\d+m/g, '')}${inner}`;
};

/** Returns the visible text of the window after a failure, for readers without its picture. */
const visibleTexts = async (page: Page): Promise<readonly string[]> => {
  const shown = [
    ['tabs', '.tabs-container .tab'],
    ['messages', '.notification-list-item-message'],
    ['lines', '.editor-group-container.active .view-lines .view-line'],
  ] as const;
  return Promise.all(
    shown.map(async ([name, selector]) => {
      const texts = await page.locator(selector).allInnerTexts();
      return `${name}: ${texts.join(' | ').replaceAll(/\s+/g, ' ').slice(0, 1500)}`;
    }),
  );
};
