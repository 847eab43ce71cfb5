/** Checks what a process did: the lines of `strace -f`. */

export interface TraceScope {
  /**
   * The only folder from which files may be read, in addition to the installation and the system.
   */
  readonly workspace: string;
  /** The folder of the case: its files outside of the workspace must not be read. */
  readonly place: string;
}

/** Forbidden system calls by what they would mean. */
const forbidden: ReadonlyMap<string, RegExp> = new Map([
  ['network', /^(?:socket|connect|bind|listen|accept4?|sendto|sendmsg|sendmmsg)\(/],
  // Signal 0 only checks whether the editor is alive; strace may split a call into two lines.
  ['process', /^(?:fork|vfork|tkill|ptrace|process_vm_writev|kill\(\d+, (?!0(?:\)| <unfinished)))/],
  [
    'write',
    /^(?:creat|rename(?:at2?)?|unlink(?:at)?|mkdir(?:at)?|rmdir|link(?:at)?|symlink(?:at)?|truncate|ftruncate|chmod|fchmod(?:at)?|chown|fchown(?:at)?|lchown|utime|utimes|utimensat|futimesat|mknod(?:at)?|mount|setxattr|lsetxattr|fsetxattr|removexattr)\(/,
  ],
]);

/** Returns one line per violation with the call. */
export const findingsIn = (trace: string, scope: TraceScope): readonly string[] => {
  const calls = trace.split('\n').flatMap((line) => {
    // Matches `123 connect(…`; the second line of an interrupted call adds nothing.
    const [, call] = /^(?:\[pid\s+)?\d+\]?\s+(\w+\(.*)$/.exec(line) ?? [];
    return call === undefined ? [] : [call];
  });
  let started = 0;
  return calls.flatMap((call) => {
    for (const [what, pattern] of forbidden) if (pattern.test(call)) return [`${what}: ${call}`];
    if (/^execve(?:at)?\(/.test(call)) {
      started += 1;
      return started === 1 ? [] : [`process: ${call}`];
    }
    // Threads are allowed.
    if (/^clone3?\(/.test(call)) return call.includes('CLONE_THREAD') ? [] : [`process: ${call}`];
    return openFinding(call, scope);
  });
};

const openFinding = (call: string, { workspace, place }: TraceScope): readonly string[] => {
  const [, path = '', flags = ''] =
    /^open(?:at2?)?\((?:[^,"]+, )?"((?:[^"\\]|\\.)*)", ([^)]*)/.exec(call) ?? [];
  if (path === '') return [];
  if (/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND/.test(flags) && path !== '/dev/null') {
    return [`write: ${call}`];
  }
  const absolute = path.startsWith('/') ? path : `${workspace}/${path}`;
  const isInside = absolute === workspace || absolute.startsWith(`${workspace}/`);
  const isSkipped = /\/(?:node_modules|\.git)\/[^/]/.test(absolute.slice(workspace.length));
  if (isInside ? isSkipped : absolute.startsWith(`${place}/`)) return [`read: ${call}`];
  return /\/etc\/(?:hosts|passwd|shadow|resolv\.conf)$/.test(absolute) ? [`read: ${call}`] : [];
};
