/** Resolves paths relative to a directory, without access to the file system. */

/**
 * Returns an absolute path as it is; resolves other paths from the directory, without `.` and `..`.
 */
export const absolutePath = (directory: string, path: string): string => {
  if (path.startsWith('/')) return path;
  const parts: string[] = [];
  for (const part of `${directory}/${path}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.join('/')}`;
};
