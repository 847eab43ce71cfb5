/** The URL of a module that runs on a thread of its own. */

/**
 * Returns the URL of a module next to the one whose URL is `base`: TypeScript in tests, JavaScript otherwise. The
 * executables replace this file by `deploy/release/executables/thread-url.ts`.
 */
export const threadUrl = (name: string, base: string): URL =>
  new URL(`./${name}.${base.endsWith('.ts') ? 'ts' : 'js'}`, base);
