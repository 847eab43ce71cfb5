/** The extension's pages inside the window; each is two frames deep. */
import type { Frame, Locator, Page } from './browser.ts';
import { until } from './until.ts';

export interface Webviews {
  /** Waits for and returns the frame with a visible element of this selector. */
  holding(selector: string, text?: string | RegExp): Promise<Frame>;
  /** Waits for and returns the element itself. */
  find(selector: string, text?: string | RegExp): Promise<Locator>;
  /** Returns every visible page of the extension. */
  all(): Promise<readonly Frame[]>;
}

export const webviews = (page: Page): Webviews => {
  const all = async (): Promise<readonly Frame[]> => {
    const shown: Frame[] = [];
    for (const frame of page.frames()) {
      if (frame.isDetached() || frame.parentFrame()?.parentFrame() == null) continue;
      try {
        const outer = frame.parentFrame();
        const inner = await frame.frameElement();
        if (outer === null || !(await inner.isVisible())) continue;
        if (await (await outer.frameElement()).isVisible()) shown.push(frame);
      } catch {
        // The frame was detached in the meantime.
      }
    }
    return shown;
  };
  const holding = async (selector: string, text?: string | RegExp): Promise<Frame> => {
    let found: Frame | undefined;
    const wanted = text === undefined ? selector : `${selector} with ${text}`;
    await until(`a page with ${wanted}`, async () => {
      for (const frame of await all()) {
        const element = frame.locator(selector, text === undefined ? {} : { hasText: text });
        if (await element.first().isVisible()) found = frame;
      }
      return found !== undefined;
    });
    if (found === undefined) throw new Error('unreachable: until holds');
    return found;
  };
  return {
    all,
    holding,
    find: async (selector, text) =>
      (await holding(selector, text))
        .locator(selector, text === undefined ? {} : { hasText: text })
        .first(),
  };
};
