/**
 * What is typed into the fields of a form that is drawn anew with each answer: it stays until an answer
 * has it, and is sent once.
 */
export interface Drafts<Fields extends Readonly<Record<keyof Fields, string>>> {
  type(name: keyof Fields, text: string): void;
  /** What the fields show: the answer, with what was typed since. */
  applyTo(answered: Fields): Fields;
  /** What is to be sent, when the user is done with a field; `undefined` where that was sent already. */
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
