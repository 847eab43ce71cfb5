/** Checks the server's answers: no markup from documents, no commands, nothing invisible. */

/**
 * Members that contain text of or for files, which may be anything. YAML is shown in an editor,
 * which marks invisible characters itself.
 */
const textOfFiles = new Set([
  'yaml',
  'beforeYaml',
  'afterYaml',
  'newText',
  'insertText',
  'claims',
  'uri',
  'targetUri',
  'target',
]);

/** Commands of lenses that the server creates. */
const ownCommands = /^authgraph\.[A-Za-z]+$/;

/** Returns one line for each thing that must not be in an answer. */
export const findingsInAnswer = (answer: unknown): readonly string[] => {
  const found: string[] = [];
  const walk = (value: unknown, at: string): void => {
    if (typeof value === 'string') {
      if (hidden.test(value)) found.push(`invisible: ${at}: ${JSON.stringify(value)}`);
      return;
    }
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) walk(item, `${at}[${index}]`);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const members = new Map<string, unknown>(Object.entries(value));
    const kind = members.get('kind');
    const text = members.get('value');
    if (kind === 'markdown' && typeof text === 'string') {
      found.push(
        ...findingsInMarkdown(text).map((what) => `${what}: ${at}: ${JSON.stringify(text)}`),
      );
    }
    const command = members.get('command');
    if (
      typeof command === 'string' &&
      members.has('title') &&
      !ownCommands.test(command) &&
      command !== ''
    ) {
      found.push(`command: ${at}: ${command}`);
    }
    const svg = members.get('svg');
    if (typeof svg === 'string') {
      found.push(...findingsInSvg(svg).map((what) => `${what}: ${at}.svg`));
    }
    if (members.has('isTrusted') || members.has('supportHtml')) found.push(`trusted: ${at}`);
    for (const [name, member] of members) if (!textOfFiles.has(name)) walk(member, `${at}.${name}`);
  };
  walk(answer, '');
  return found;
};

/**
 * Control characters other than line breaks and tabs, direction marks, zero-width characters, lone
 * surrogates.
 */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{Cs}/u;

/** Links that the server's own text may contain. */
const ownLink = /^https:\/\/(?:kubernetes\.io|openid\.net)\//;

export const findingsInMarkdown = (markdown: string): readonly string[] => {
  const found: string[] = [];
  const text = withoutCode(markdown);
  // An escaped character is literal.
  const bare = text.replace(/\\[!-/:-@[-`{-~]/g, '');
  if (/<[a-z/!?]/i.test(bare)) found.push('html');
  if (/!\[/.test(bare)) found.push('image');
  for (const [, target = ''] of bare.matchAll(/\]\(([^)\s]*)/g)) {
    if (!ownLink.test(target)) found.push('link');
  }
  if (/^\s*\[[^\]]*\]:/m.test(bare)) found.push('link definition');
  if (/\b(?:command|javascript|data|vbscript):/i.test(bare.replace(/\]\([^)]*\)/g, ''))) {
    found.push('scheme');
  }
  return found;
};

/** Removes fences and code spans according to CommonMark; an unclosed fence extends to the end. */
const withoutCode = (markdown: string): string => {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const [, marks = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence === undefined) {
      if (marks !== '' && !(marks.startsWith('`') && rest.includes('`'))) fence = marks;
      else lines.push(line);
    } else if (marks.startsWith(fence) && rest.trim() === '') fence = undefined;
  }
  return withoutSpans(lines.join('\n'));
};

const withoutSpans = (text: string): string => {
  let rest = text;
  let out = '';
  while (rest !== '') {
    const open = /(?<!\\)`+/.exec(rest);
    if (open === null) return out + rest;
    const [run] = open;
    const from = open.index + run.length;
    const close = [...rest.slice(from).matchAll(/`+/g)].find(
      ([other]) => other.length === run.length,
    );
    if (close === undefined) {
      out += rest.slice(0, from);
      rest = rest.slice(from);
    } else {
      out += `${rest.slice(0, open.index)} `;
      rest = rest.slice(from + close.index + run.length);
    }
  }
  return out;
};

export const findingsInSvg = (svg: string): readonly string[] => {
  const found: string[] = [];
  if (!/^<svg[\s>]/.test(svg) || !/<\/svg>\s*$/.test(svg)) found.push('no svg');
  for (const [, name = '', attributes = ''] of svg.matchAll(
    /<([A-Za-z][\w:-]*)((?:[^"'>]|"[^"]*"|'[^']*')*)>/g,
  )) {
    if (!harmless.has(name)) found.push(`element ${name}`);
    for (const [, attribute = '', value = ''] of attributes.matchAll(
      /([\w:-]+)\s*=\s*"([^"]*)"/g,
    )) {
      if (/^on|href$|^src$/i.test(attribute)) found.push(`attribute ${attribute}`);
      if (attribute !== 'aria-label' && /javascript:|url\((?!#)/i.test(value)) {
        found.push(`value of ${attribute}`);
      }
    }
  }
  return found;
};

const harmless = new Set([
  'svg',
  'g',
  'path',
  'rect',
  'text',
  'tspan',
  'title',
  'desc',
  'defs',
  'marker',
  'line',
  'polygon',
  'polyline',
  'circle',
  'ellipse',
  'style',
  'clipPath',
]);
