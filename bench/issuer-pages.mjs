// Serves discovery and key sets of the workload's issuers from memory, so that only decisions are
// measured.
import { setImmediate as laterTurn } from 'node:timers/promises';
import { json } from './peers/node/lib.mjs';

/** Creates an HTTP port that serves only these pages. */
export const issuerPages = () => {
  const pages = new Map();
  for (const { url, jwks } of json('issuers.json')) {
    const base = url.replace(/\/$/, '');
    pages.set(`${base}/.well-known/openid-configuration`, {
      issuer: url,
      jwks_uri: `${base}/keys`,
    });
    pages.set(`${base}/keys`, jwks);
  }
  return {
    // The response arrives in a later turn of the event loop, like one from the network.
    async get({ url }) {
      await laterTurn();
      return {
        status: pages.has(url) ? 200 : 404,
        statusText: pages.has(url) ? '200 OK' : '404 Not Found',
        headers: new Map([
          ['content-type', 'application/json'],
          ['cache-control', 'max-age=86400'],
        ]),
        body: new TextEncoder().encode(JSON.stringify(pages.get(url) ?? {})),
      };
    },
  };
};
