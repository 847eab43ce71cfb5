/** Paths beside a file, by text alone. */

/** The path itself when absolute; else from the directory, without `.` and `..`. */
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
