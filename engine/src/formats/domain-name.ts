/** Domain names and email addresses in certificates, parsed as leniently as by Go. */

/** Checks for a domain name. The empty name is valid, and a constraint may begin with a dot. */
export const isDomainName = (
  text: string,
  { constraint }: { readonly constraint: boolean },
): boolean => {
  if (text === '') return true;
  if (text.endsWith('.')) return false;
  const name = constraint && text.startsWith('.') ? text.slice(1) : text;
  return name.split('.').every((label) => /^[!-~]+$/.test(label));
};

export interface Mailbox {
  readonly local: string;
  readonly domain: string;
}

/** Parses a mailbox of RFC 2821; returns `undefined` if it is malformed. */
export const readMailbox = (text: string): Mailbox | undefined => {
  const localPart = text.startsWith('"') ? quotedLocalPart(text) : plainLocalPart(text);
  if (localPart === undefined || text[localPart.end] !== '@') return undefined;
  const domain = text.slice(localPart.end + 1);
  const isDomain = domain === '' || domain.split('.').every((label) => /^[!-~]+$/.test(label));
  return isDomain ? { local: localPart.local, domain } : undefined;
};

interface LocalPart {
  readonly local: string;
  /** The index after it in the string. */
  readonly end: number;
}

const quotedLetter = /^[\u0001-\u0008\u000b\u000c\u000e-\u001f !#-[\]-\u007f]$/;
const escapedLetter = /^[\u0001-\u0009\u000b\u000c\u000e-\u007f]$/;

const quotedLocalPart = (text: string): LocalPart | undefined => {
  let local = '';
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '"') return { local, end: at + 1 };
    if (letter === '\\') {
      at += 1;
      if (!escapedLetter.test(text.charAt(at))) return undefined;
      local += text.charAt(at);
    } else {
      if (!quotedLetter.test(letter)) return undefined;
      local += letter;
    }
  }
  return undefined;
};

const plainLetter = /^[0-9A-Za-z!#$%&'*+\-/=?^_`{|}~.]$/;

/** Reads a local part without quotes, in which a backslash escapes any character. */
const plainLocalPart = (text: string): LocalPart | undefined => {
  let local = '';
  let at = 0;
  for (; at < text.length; at += 1) {
    const escaped = text.charAt(at) === '\\';
    if (!escaped && !plainLetter.test(text.charAt(at))) break;
    if (escaped) at += 1;
    if (at >= text.length) return undefined;
    local += text.charAt(at);
  }
  if (local === '' || local.startsWith('.') || local.endsWith('.') || local.includes('..'))
    return undefined;
  return { local, end: at };
};
