/** Reads untrusted JSON responses of API servers, and their warnings. */
import type { HttpResponse } from '../../ports/http-client.ts';

/** Returns the body as data; `undefined` if it is not JSON. */
export const dataOf = ({ body }: HttpResponse): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
};

/** Returns a member of an object; `undefined` for everything else. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;

/** Returns the text of the warning of a response (RFC 7234, code 299), if there is one. */
export const warningsOf = ({ headers }: HttpResponse): readonly string[] => {
  const text = /^299 \S+ "(.*)"$/.exec(headers.get('warning') ?? '')?.[1];
  return text === undefined ? [] : [text.replaceAll(/\\(.)/g, '$1')];
};
