/** What a process did, seen from outside: the lines of `strace -f`, judged. */

export interface TraceScope {
  /** The only folder below which files may be read, beside those of the installation and the machine. */
  readonly workspace: string;
  /** The place of the case: what lies in it and not in the workspace is forbidden. */
  readonly place: string;
}

/** System calls of which one is too many, by what they would mean. */
const forbidden: ReadonlyMap<string, RegExp> = new Map([
  ['network', /^(?:socket|connect|bind|listen|accept4?|sendto|sendmsg|sendmmsg)\(/],
  // Signal 0 only asks whether the editor still lives; a call may be written down in two lines.
  ['process', /^(?:fork|vfork|tkill|ptrace|process_vm_writev|kill\(\d+, (?!0(?:\)| <unfinished)))/],
  [
    'write',
    /^(?:creat|rename(?:at2?)?|unlink(?:at)?|mkdir(?:at)?|rmdir|link(?:at)?|symlink(?:at)?|truncate|ftruncate|chmod|fchmod(?:at)?|chown|fchown(?:at)?|lchown|utime|utimes|utimensat|futimesat|mknod(?:at)?|mount|setxattr|lsetxattr|fsetxattr|removexattr)\(/,
  ],
]);

/** One line each: what must not have happened, and the call. */
export const findingsIn = (trace: string, scope: TraceScope): readonly string[] => {
  const calls = trace.split('\n').flatMap((line) => {
    // `123 connect(…`; the rest of a call that was interrupted says nothing new.
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
    // Threads are no processes.
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
