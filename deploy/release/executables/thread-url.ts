/** Modules that run on threads, which are assets of an executable, each with everything that it imports. */
import { getAsset } from 'node:sea';

/** Returns a `data:` URL with the module. */
export const threadUrl = (name: string, _base: string): URL => {
  const code = Buffer.from(getAsset(`threads/${name}.js`)).toString('base64');
  return new URL(`data:text/javascript;base64,${code}`);
};
