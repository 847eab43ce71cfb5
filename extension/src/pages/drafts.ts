/**
 * Preserves what the user types into a form that is redrawn with each answer: a draft stays until
 * an answer contains it, and is sent once.
 */
export interface Drafts<Fields extends Readonly<Record<keyof Fields, string>>> {
  type(name: keyof Fields, text: string): void;
  /** Returns the fields to show: the answer with the drafts applied. */
  applyTo(answered: Fields): Fields;
  /**
   * Returns the fields to send when the user leaves a field; `undefined` if they were sent already.
   */
  takeUnsent(answered: Fields): Fields | undefined;
  forget(): void;
}

export const createDrafts = <
  Fields extends Readonly<Record<keyof Fields, string>>,
>(): Drafts<Fields> => {
  const typed = new Map<keyof Fields, string>();
  let isUnsent = false;
  const applyTo = (answered: Fields): Fields => {
    for (const [name, text] of typed) {
      if (answered[name] === text) typed.delete(name);
    }
    return { ...answered, ...Object.fromEntries(typed) };
  };
  return {
    type(name, text) {
      typed.set(name, text);
      isUnsent = true;
    },
    applyTo,
    takeUnsent(answered) {
      if (!isUnsent) return undefined;
      isUnsent = false;
      return applyTo(answered);
    },
    forget() {
      typed.clear();
      isUnsent = false;
    },
  };
};
