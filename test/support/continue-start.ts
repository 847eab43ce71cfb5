/** Returns the key at which a `continue` token resumes; kube-apiserver's cache prefixes a slash. */
export const continueStart = (token: string): string => {
  const text = Buffer.from(token, 'base64url').toString();
  const { start }: { readonly start: string } = JSON.parse(text);
  return start.replace(/^\//, '');
};
