/** The identity of a server equals the one that kube-apiserver derives on the same host. */
import { expect, test } from 'vitest';
import { serverIdentity, serverIdentityHash } from '../../../engine/src/node/server-identity.ts';

test.each([
  [
    'node-1',
    'apiserver-lgabes5ywnaqeagh5dny4zlzs4',
    'sha256:301f0ab033485d02da8c424142b92d830c6cb0fe2a367f125571d58c8d83307e',
  ],
  [
    'control-plane.example.com',
    'apiserver-rr3hfgffmb4kko4gycihudxqlm',
    'sha256:768f0985a7cd5dc2d0027e0100d59fc4cbc1c69f99c6f4d4473c6b1af37ffe37',
  ],
  [
    '',
    'apiserver-2ikcnb3wory4bpirwz777r2iv4',
    'sha256:95985dcb56bc5ed0c77074329ad27ce1759c73481e932743b2f31faf543bd44f',
  ],
])('%j', (host, identity, hash) => {
  expect(serverIdentity(host)).toBe(identity);
  expect(serverIdentityHash(host)).toBe(hash);
});
