/**
 * Preserves what the user types into a form that is redrawn with each answer: a draft stays until
 * an answer contains it, and is sent once.
 */
export const createDrafts = <Fields extends Readonly<Record<keyof Fields, string>>>() => {
  const typed = new Map<keyof Fields, string>();
  let isUnsent = false;
  /** Returns the fields to show: the answer with the drafts applied. */
  const applyTo = (answered: Fields): Fields => {
    for (const [name, text] of typed) {
      if (answered[name] === text) typed.delete(name);
    }
    return { ...answered, ...Object.fromEntries(typed) };
  };
  return {
    type(name: keyof Fields, text: string): void {
      typed.set(name, text);
      isUnsent = true;
    },
    applyTo,
    /**
     * Returns the fields to send when the user leaves a field; `undefined` if they were sent
     * already.
     */
    takeUnsent(answered: Fields): Fields | undefined {
      if (!isUnsent) return undefined;
      isUnsent = false;
      return applyTo(answered);
    },
    forget(): void {
      typed.clear();
      isUnsent = false;
    },
  };
};
