/** Fails with the actual text in the message. */
export const expectText = (text: string, wanted: string | RegExp): void => {
  const holds = typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
  if (!holds) throw new Error(`wanted ${wanted}, there is: ${text}`);
};
