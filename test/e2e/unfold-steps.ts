/** Unfolds the steps of the first whoami card. */
import type { Stage } from './stage.ts';
import { until } from './until.ts';

/** Redraws keep the steps unfolded; only a card without steps in between loses that. */
export const unfoldSteps = ({ webviews }: Stage): Promise<void> =>
  until('the steps are unfolded', async () => {
    const frame = await webviews.holding('.card');
    if (await frame.locator('.card details[open] > .steps').first().isVisible()) return true;
    await frame.locator('.card summary', { hasText: 'Steps' }).first().click({ timeout: 2000 });
    return false;
  });
