// Runs one row of commands.jsonl: lays out an untrusted workspace next to a folder with secrets, spawns the real command line in it, and compares.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

// In every file of the folder outside, so that a single leaked line is found.
const secret = 'CANARY-7f3a9d';
const outside = {
  'secret.claims.json': JSON.stringify({ iss: 'https://a.example', aud: 'app', sub: secret, hd: 'x' }),
  'secret.yaml': `${secret}: ${secret}\n`,
  'tokens.csv': `${secret},${secret},1\n`,
  'key.pem': `-----BEGIN PUBLIC KEY-----\n${secret}\n-----END PUBLIC KEY-----\n`,
  'auth.yaml': `# ${secret}\napiVersion: ${secret}\nkind: AuthenticationConfiguration\n`,
  'empty/.keep': '',
};
const good = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://a.example, audiences: [app]}
  claimMappings:
    username: {claim: sub, prefix: "a:"}
    groups: {claim: groups, prefix: "a:"}
  claimValidationRules:
  - expression: claims.hd == "x"
`;
const markup = `"><script>alert(1)</script><img src=x onerror=alert(1)><a href=javascript:alert(1)>'<style>*{display:none}</style>`;
const unseen = '\u001b[31m\u001b]0;t\u0007\u202e\u2066\u2028\u0085\u007f';
// Bytes that may be in a file name: no slash and no NUL.
const names = { markup: markup.replaceAll('/', '|'), unseen, newline: 'a\nb' };
const vars = (s) => s.replace(/\{\{rep:([\s\S]+?):(\d+)\}\}/g, (_, x, n) => x.repeat(Number(n))).replace(/\{\{(good|markup|unseen|secret|outside|name:(\w+))\}\}/g, (_, v, n) => (n ? names[n] : { good, markup, unseen, secret, outside: '../outside' }[v]));
const jsonVars = (value) => JSON.parse(JSON.stringify(value), (_, v) => (typeof v === 'string' ? vars(v) : v));

// YAML forbids some characters that JSON may have unescaped.
const ascii = (json) => json.replace(/[\u007f-\uffff]/g, (x) => `\\u${x.charCodeAt(0).toString(16).padStart(4, '0')}`);

function write(file, content, scale) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  if (typeof content === 'string') return fs.writeFileSync(file, vars(content));
  if (content.link !== undefined) return fs.symlinkSync(vars(content.link), file);
  if (content.json !== undefined) return fs.writeFileSync(file, ascii(JSON.stringify(jsonVars(content.json))));
  if (content.aliases !== undefined) { let t = vars(content.head ?? '') + 'x0: &x0 [lol]\n'; for (let i = 1; i <= content.aliases; i++) t += `x${i}: &x${i} [${Array(9).fill('*x' + (i - 1)).join(',')}]\n`; return fs.writeFileSync(file, t); }
  // head, n times unit (with its number as {{i}}), tail; written in parts, because a corpus is larger than a string may be
  const { head = '', n, tail = '' } = content; const unit = vars(content.unit); const count = content.scaled ? n * scale : n; const fd = fs.openSync(file, 'w'); let part = vars(head);
  const numbered = unit.includes('{{i}}');
  if (!numbered) { const step = Math.max(1, Math.floor(65536 / unit.length)); const many = unit.repeat(step); for (let i = 0; i < count; i += step) { fs.writeSync(fd, part); part = i + step <= count ? many : unit.repeat(count - i); } }
  else for (let i = 0; i < count; i++) { part += unit.replaceAll('{{i}}', i); if (part.length > 1 << 20) { fs.writeSync(fd, part); part = ''; } }
  fs.writeSync(fd, part + vars(tail)); fs.closeSync(fd);
}
const listing = (dir) => fs.readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((f) => !fs.lstatSync(path.join(dir, f)).isDirectory()).sort();

// `scale` multiplies the lines of a corpus: 100 makes 10^5 lines 10^7.
export function runCommand(c, cmd, scale = 1) {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'authattack-cli-')); const workspace = path.join(place, 'workspace');
  try {
    for (const [f, t] of Object.entries(outside)) write(path.join(place, 'outside', f), t);
    fs.mkdirSync(path.join(workspace, '.git'), { recursive: true });
    for (const [f, t] of Object.entries(c.files ?? {})) write(path.join(workspace, vars(f)), t, scale);
    const before = { inside: listing(workspace), outside: listing(path.join(place, 'outside')) };
    const [program, ...first] = cmd.split(' '); const heap = c.heapMiB ?? 256;
    const env = { PATH: process.env.PATH, HOME: place, NO_COLOR: '1', NODE_OPTIONS: `--max-old-space-size=${heap}` };
    const t0 = Date.now(); const maxMs = (c.maxMs ?? 10000) * (c.scaled ? scale : 1);
    const r = spawnSync(program, [...first, ...c.args.map(vars)], { cwd: workspace, env, timeout: maxMs + 20000, maxBuffer: 1 << 27 }); const ms = Date.now() - t0;
    const after = listing(workspace); const written = after.filter((f) => !before.inside.includes(f));
    const files = written.map((f) => fs.readFileSync(path.join(workspace, f), 'utf8')).join(''); const out = `${r.stdout}${r.stderr}${files}`;
    const j = { ok: c.e.includes(String(r.status)), got: r.error ? r.error.code : (r.signal ?? String(r.status)), ms, detail: '' };
    const bad = (text) => { j.ok = false; j.detail += ` ${text}`; };
    if (!j.ok) j.detail += ` ${out.slice(0, 300)}`;
    if (out.includes(secret)) { bad('a file outside of the workspace leaked'); j.critical = true; }
    if (/internal error|heap out of memory|Maximum call stack|node:internal|\bat \S+ \(.*:\d+:\d+\)/.test(out)) bad(`internal error: ${out.slice(0, 400)}`);
    if (ms > maxMs) bad(`slow: ${ms} ms > ${maxMs}`);
    for (const text of c.has ?? []) if (!out.includes(vars(text))) bad(`lacks ${JSON.stringify(vars(text))}: ${out.slice(0, 400)}`);
    // A page must not have it; a terminal may show markup.
    for (const text of c.not ?? []) if ((files || out).includes(vars(text))) bad(`contains ${JSON.stringify(vars(text))}`);
    // Control characters and direction marks reach neither a terminal nor a report.
    if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029\u2066-\u2069]/.test(out)) bad('a control character');
    if (JSON.stringify(written) !== JSON.stringify(c.writes ?? [])) { bad(`wrote ${JSON.stringify(written)}`); j.critical = true; }
    if (JSON.stringify(listing(path.join(place, 'outside'))) !== JSON.stringify(before.outside)) { bad('wrote outside of the workspace'); j.critical = true; }
    return j;
  } finally { fs.rmSync(place, { recursive: true, force: true }); }
}
