/** As much of VS Code as the tests of the extension need, and what was shown with it. */
interface Said {
  readonly kind: 'information' | 'warning' | 'error';
  readonly text: string;
  /** Of a question that has to be answered first. */
  readonly detail?: string;
  readonly actions: readonly string[];
}

const state: {
  readonly said: Said[];
  readonly answers: (string | undefined)[];
  readonly rows: object[];
  readonly picks: (number | undefined)[];
} = { said: [], answers: [], rows: [], picks: [] };

/** The user: what was said, and what is answered. */
export const editor = {
  get said(): readonly Said[] {
    return state.said;
  },
  /** Of all pickers. */
  get rows(): readonly object[] {
    return state.rows;
  },
  /** Presses the button under a message that comes; the next ones are left alone. */
  answers: (...actions: readonly (string | undefined)[]): void => {
    state.answers.push(...actions);
  },
  /** Picks the row of a picker that comes. */
  picks: (...indexes: readonly (number | undefined)[]): void => {
    state.picks.push(...indexes);
  },
  reset: (): void => {
    for (const list of Object.values(state)) list.length = 0;
  },
};

const show =
  (kind: Said['kind']) =>
  async (text: string, ...rest: readonly unknown[]): Promise<string | undefined> => {
    const [first] = rest;
    const detail =
      typeof first === 'object' && first !== null && 'detail' in first ? first.detail : undefined;
    const actions = rest.filter((each) => typeof each === 'string');
    state.said.push({ kind, text, actions, ...(typeof detail === 'string' ? { detail } : {}) });
    return state.answers.shift();
  };

const showQuickPick = async (
  items: readonly object[] | Promise<readonly object[]>,
  options: { readonly canPickMany?: boolean },
): Promise<unknown> => {
  const rows = await items;
  state.rows.push(...rows);
  const index = state.picks.shift();
  const picked = index === undefined ? undefined : rows[index];
  return options.canPickMany === true && picked !== undefined ? [picked] : picked;
};

export const window = {
  showInformationMessage: show('information'),
  showWarningMessage: show('warning'),
  showErrorMessage: show('error'),
  setStatusBarMessage: () => undefined,
  showQuickPick,
};

export const env = { clipboard: { writeText: async () => undefined } };
