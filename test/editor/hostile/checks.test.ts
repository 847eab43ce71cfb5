/** The checks used by the hostile workspaces detect what they are for. */
import { expect, test } from 'vitest';
import { findingsInAnswer, findingsInMarkdown, findingsInSvg } from './answers.ts';
import { findingsIn } from './trace.ts';

const scope = { place: '/tmp/case', workspace: '/tmp/case/workspace' };

test.each([
  ['12 socket(AF_INET, SOCK_STREAM, IPPROTO_TCP) = 20', 'network'],
  ['12 connect(20, {sa_family=AF_INET, sin_port=htons(443)}, 16) = -1 EINPROGRESS', 'network'],
  ['[pid   12] sendto(3, "x", 1, 0, NULL, 0) = 1', 'network'],
  ['12 clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD) = 13', 'process'],
  ['12 clone3({flags=CLONE_VM|CLONE_VFORK, exit_signal=SIGCHLD}, 88) = 13', 'process'],
  ['12 vfork( <unfinished ...>', 'process'],
  ['12 kill(1, SIGTERM) = 0', 'process'],
  ['12 kill(1, 15 <unfinished ...>', 'process'],
  ['12 openat(AT_FDCWD, "/tmp/x", O_WRONLY|O_CREAT|O_CLOEXEC, 0666) = 21', 'write'],
  ['12 open("/tmp/x", O_RDWR) = 21', 'write'],
  ['12 openat(AT_FDCWD, "a", O_RDONLY|O_TRUNC) = 21', 'write'],
  ['12 unlink("/tmp/x") = 0', 'write'],
  ['12 mkdirat(AT_FDCWD, "/tmp/x", 0777) = 0', 'write'],
  ['12 openat(AT_FDCWD, "/tmp/case/outside/secret", O_RDONLY) = 21', 'read'],
  ['12 openat(AT_FDCWD, "/tmp/case/workspace/node_modules/yaml/index.js", O_RDONLY) = 21', 'read'],
  ['12 openat(AT_FDCWD, "node_modules/yaml/index.js", O_RDONLY) = 21', 'read'],
  ['12 openat(AT_FDCWD, "/etc/hosts", O_RDONLY|O_CLOEXEC) = 21', 'read'],
])('%s: %s', (line, what) => {
  const found = findingsIn(`1 execve("/bin/node", ["node"], 0x1) = 0\n${line}\n`, scope);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(new RegExp(`^${what}: `));
});

test('reports a second program', () => {
  const line = '1 execve("/bin/sh", ["sh"], 0x1) = 0\n';
  expect(findingsIn(line, scope)).toEqual([]);
  expect(findingsIn(line.repeat(2), scope)).toHaveLength(1);
});

test.each([
  '12 clone3({flags=CLONE_VM|CLONE_THREAD|CLONE_SIGHAND}, 88) = 13',
  '12 openat(AT_FDCWD, "/tmp/case/workspace/jane.claims.json", O_RDONLY|O_CLOEXEC) = 21',
  '12 openat(AT_FDCWD, "/usr/lib/libc.so", O_RDONLY|O_CLOEXEC) = 21',
  '12 openat(AT_FDCWD, "/dev/null", O_RDWR) = 21',
  '12 openat(AT_FDCWD, "/tmp/case/workspace/node_modules", O_RDONLY|O_DIRECTORY) = 21',
  '12 <... connect resumed>) = 0',
  '12 kill(1, 0) = 0',
  '12 kill(1, 0 <unfinished ...>',
])('allows %s', (line) => {
  expect(findingsIn(line, scope)).toEqual([]);
});

test.each([
  ['a [x](command:a) b', ['link']],
  ['![x](https://alder.example/p.png)', ['image', 'link']],
  ['<img src=x>', ['html']],
  ['```\nx\n```\n[x](command:a)\n```\n```', ['link']],
  ['``` `\n[x](command:a)', ['link']],
  ['`a` [x](command:a) `b`', ['link']],
  ['`` a` [x](command:a)', ['link']],
  ['[x]: https://alder.example', ['link definition']],
  ['see command:workbench.x', ['scheme']],
])('finds markup in %s', (markdown, expected) => {
  expect(findingsInMarkdown(markdown)).toEqual(expected);
});

test.each([
  'plain *text*',
  '\\[x\\]\\(command\\:a\\)',
  '`[x](command:a)`',
  '``` \n<img src=x>\n```',
  '````cel\n```\n[x](command:a)\n````',
  'a \\<img src=x\\>',
  '[the rule](https://kubernetes.io/docs/)',
])('finds no markup in %s', (markdown) => {
  expect(findingsInMarkdown(markdown)).toEqual([]);
});

test.each([
  [{ contents: { kind: 'markdown', value: '[x](command:a)' } }, /^link: \.contents/],
  [{ label: 'a\u202eb' }, /^invisible: \.label/],
  [{ label: 'a\u001b[31m' }, /^invisible/],
  [[{ title: 'x', command: 'workbench.action.x' }], /^command: \[0\]/],
  [{ isTrusted: true }, /^trusted/],
  [{ svg: '<svg><script>x</script></svg>' }, /^element script/],
])('reports %j', (answer, expected) => {
  expect(findingsInAnswer(answer)[0]).toMatch(expected);
});

test('allows anything in text that is written into files', () => {
  expect(findingsInAnswer({ newText: 'a\u202e[x](command:a)', range: {} })).toEqual([]);
});

test.each([
  ['<svg><a href="x">x</a></svg>', ['element a', 'attribute href']],
  ['<svg><g onclick="x"/></svg>', ['attribute onclick']],
  ['<svg><rect fill="url(https://x)"/></svg>', ['value of fill']],
  ['<svg><foreignObject/></svg>', ['element foreignObject']],
  ['x', ['no svg']],
  ['<svg><g role="button" aria-label="javascript:"><text>&lt;img&gt;</text></g></svg>', []],
])('%s: %j', (svg, expected) => {
  expect(findingsInSvg(svg)).toEqual(expected);
});
