/** The static table of HPACK (RFC 7541, appendix A). */
import type { Field } from './field.ts';

/** A name and an optional value on each line; the line number is the index, from 1. */
const lines = `
:authority
:method GET
:method POST
:path /
:path /index.html
:scheme http
:scheme https
:status 200
:status 204
:status 206
:status 304
:status 400
:status 404
:status 500
accept-charset
accept-encoding gzip, deflate
accept-language
accept-ranges
accept
access-control-allow-origin
age
allow
authorization
cache-control
content-disposition
content-encoding
content-language
content-length
content-location
content-range
content-type
cookie
date
etag
expect
expires
from
host
if-match
if-modified-since
if-none-match
if-range
if-unmodified-since
last-modified
link
location
max-forwards
proxy-authenticate
proxy-authorization
range
referer
refresh
retry-after
server
set-cookie
strict-transport-security
transfer-encoding
user-agent
vary
via
www-authenticate`;

/** Fields by index; index 0 is unused. */
export const staticFields: readonly (Field | undefined)[] = lines.split('\n').map((line, index) => {
  const [name = '', ...valueParts] = line.split(' ');
  return index === 0 ? undefined : { name, value: valueParts.join(' ') };
});

/** The highest index of the static table. */
export const lastStaticIndex = staticFields.length - 1;
