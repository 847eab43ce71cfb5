/** Header fields that make a valid HTTP/2 request, by the measured rules of Go's server. */
import { describe, expect, test } from 'vitest';
import type { Field } from '../../support/hpack-reader.ts';
import { dataFrame, errorCodes, headersFrame, requestFields } from '../../support/http2-frames.ts';
import { withListener } from './with-listener.ts';

const listener = withListener();
const echo = requestFields({ path: '/echo' });

const withoutField = (name: string): readonly Field[] => echo.filter((field) => field[0] !== name);
const withValue = (name: string, value: string): readonly Field[] =>
  echo.map((field) => (field[0] === name ? [name, value] : field));
const withField = (name: string, value: string): readonly Field[] => [...echo, [name, value]];

/** Returns the response on stream 1; a request on another stream must succeed. */
const exchange = async (fields: readonly Field[]) => {
  const client = await listener.open();
  client.send(headersFrame(1, fields), headersFrame(3, requestFields()));
  const answer = await client.answer(1);
  expect((await client.answer(3)).status).toBe(200);
  await client.alive();
  return answer;
};

describe('a malformed request', () => {
  test.each([
    ['an upper-case letter in a name', withField('X-Up', 'a')],
    [
      'a pseudo-header field after another field',
      [...withoutField(':path'), ['a', 'b'], [':path', '/echo']],
    ],
    ['an unknown pseudo-header field', withField(':foo', 'a')],
    ['a pseudo-header field of an extension', withField(':protocol', 'websocket')],
    ['a pseudo-header field of responses', [[':status', '200'], ...echo]],
    ['a pseudo-header field without a name', [[':', 'a'], ...echo]],
    ['two methods', [[':method', 'GET'], ...echo]],
    ['two paths', [[':path', '/echo'], ...echo]],
    ['two schemes', [[':scheme', 'https'], ...echo]],
    ['two authorities', [[':authority', 'localhost'], ...echo]],
    ['no method', withoutField(':method')],
    ['no path', withoutField(':path')],
    ['no scheme', withoutField(':scheme')],
    ['an empty method', withValue(':method', '')],
    ['an empty path', withValue(':path', '')],
    ['an unsupported scheme', withValue(':scheme', 'ftp')],
    ['a path without a leading slash', withValue(':path', 'echo')],
    ['a path with an invalid escape', withValue(':path', '/echo%zz')],
    ['a line break in a path', withValue(':path', '/echo\r\nx: y')],
    ['NUL in a path', withValue(':path', '/echo\0')],
    ['a line break in a method', withValue(':method', 'GET\r')],
    ['user information in the authority', withValue(':authority', 'root:secret@localhost')],
    ['user information in the host', [...withoutField(':authority'), ['host', 'root@localhost']]],
    ['an incomplete address in a path', withValue(':path', 'http://[::1/echo')],
    ['a space in the host of a path', withValue(':path', 'http://a b/echo')],
    ['a port of letters in a path', withValue(':path', 'http://a:b/echo')],
    ['CR in a value', withField('a', 'b\rc')],
    ['LF in a value', withField('a', 'b\nc')],
    ['NUL in a value', withField('a', 'b\0c')],
    ['DEL in a value', withField('a', 'b\x7fc')],
    ['the first control character in a value', withField('a', 'b\x01c')],
    ['the last control character in a value', withField('a', 'b\x1fc')],
    ['an empty name', withField('', 'b')],
    ['a space in a name', withField('a b', 'c')],
    ['a colon in a name', withField('a:b', 'c')],
    ['NUL in a name', withField('a\0', 'c')],
    ['DEL in a name', withField('a\x7f', 'c')],
    ['a line break in a name', withField('a\r\nb', 'c')],
    ['a non-ASCII letter in a name', withField('a\xe9', 'c')],
    ['CONNECT with a path', withValue(':method', 'CONNECT')],
    ['CONNECT without an authority', [[':method', 'CONNECT']]],
  ] satisfies [string, readonly Field[]][])('%s', async (_name, fields) => {
    const answer = await exchange(fields);
    expect(answer).toMatchObject({ status: undefined, reset: errorCodes.protocolError });
    expect(listener.events()).toEqual(['/livez begun']);
  });
});

describe('a valid request', () => {
  test.each([
    ['a tab in a value', withField('a', 'b\tc'), ['a', 'b\tc']],
    ['spaces around a value', withField('a', ' b '), ['a', ' b ']],
    ['non-ASCII bytes in a value', withField('a', 'b\x80\xff'), ['a', 'b\x80\xff']],
    ['an empty value', withField('a', ''), ['a', '']],
    [
      'all characters that a name may contain',
      withField("a!#$%&'*+-.^_`|~9", 'b'),
      ["a!#$%&'*+-.^_`|~9", 'b'],
    ],
    ['te: trailers', withField('te', 'trailers'), ['te', 'trailers']],
    ['an empty te', withField('te', ''), ['te', '']],
  ] satisfies [string, readonly Field[], Field][])('%s', async (_name, fields, expected) => {
    const answer = await exchange(fields);
    expect(answer).toMatchObject({ status: 200, hasEnded: true, reset: undefined });
    expect(JSON.parse(answer.body).headers).toContainEqual(expected);
  });

  test.each([
    ['no authority', withoutField(':authority')],
    ['a host instead of the authority', [...withoutField(':authority'), ['host', 'localhost']]],
    ['an empty authority', withValue(':authority', '')],
    ['http as the scheme', withValue(':scheme', 'http')],
    ['a query', withValue(':path', '/echo?a=b&c')],
  ] satisfies [string, readonly Field[]][])('%s', async (_name, fields) => {
    expect(await exchange(fields)).toMatchObject({ status: 200, hasEnded: true, reset: undefined });
  });

  test('decodes a non-ASCII method as UTF-8', async () => {
    const { body } = await exchange(withValue(':method', '\xc3\x84'));
    expect(JSON.parse(body).method).toBe('Ä');
  });

  test('preserves repeated fields and their order', async () => {
    const { body } = await exchange([...echo, ['a', '1'], ['b', '2'], ['a', '3']]);
    const expected = [
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
    ];
    expect(JSON.parse(body).headers).toEqual(expected);
  });
});

describe('connection-specific fields', () => {
  const refusal = (text: string): readonly Field[] => [
    [':status', '400'],
    ['content-type', 'text/plain; charset=utf-8'],
    ['x-content-type-options', 'nosniff'],
    ['content-length', `${text.length}`],
  ];
  const notValid = (name: string): string => `request header "${name}" is not valid in HTTP/2\n`;
  const onlyTrailers = 'request header "TE" may only be "trailers" in HTTP/2\n';

  test.each([
    ['connection', 'close', notValid('Connection')],
    ['connection', '', notValid('Connection')],
    ['keep-alive', '1', notValid('Keep-Alive')],
    ['proxy-connection', 'x', notValid('Proxy-Connection')],
    ['transfer-encoding', 'chunked', notValid('Transfer-Encoding')],
    ['upgrade', 'h2c', notValid('Upgrade')],
    ['te', 'gzip', onlyTrailers],
    ['te', 'gzip, trailers', onlyTrailers],
    ['te', 'Trailers', onlyTrailers],
  ])('%s: %s', async (name, value, text) => {
    const answer = await exchange(withField(name, value));
    expect(answer).toMatchObject({ status: 400, body: text, hasEnded: true, reset: undefined });
    expect(answer.headerBlocks[0]).toEqual(expect.arrayContaining([...refusal(text)]));
    expect(listener.events()).toEqual(['/livez begun']);
  });

  test('two te fields', async () => {
    const answer = await exchange([...echo, ['te', 'trailers'], ['te', 'trailers']]);
    expect(answer).toMatchObject({ status: 400, body: onlyTrailers });
  });

  test('discards the body of a rejected request', async () => {
    const client = await listener.open();
    const fields = requestFields({
      method: 'POST',
      path: '/echo',
      fields: [['connection', 'close']],
    });
    client.send(headersFrame(1, fields, { more: true }), dataFrame(1, 'abc'));
    expect(await client.answer(1)).toMatchObject({ status: 400, body: notValid('Connection') });
    await client.alive();
    expect(listener.events()).toEqual([]);
  });
});
