/** Where a list goes on by its token; the real server's cache writes a slash before the same place. */
export const continueStart = (token: string): string => {
  const text = Buffer.from(token, 'base64url').toString();
  const { start }: { readonly start: string } = JSON.parse(text);
  return start.replace(/^\//, '');
};
