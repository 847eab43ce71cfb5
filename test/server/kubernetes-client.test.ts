/** The Kubernetes client library for Node calls the server over HTTP/2. */
import { AuthenticationV1Api, KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LabEnvironment, makeLabEnvironment } from '../lab/lab-environment.ts';
import { type ConfiguredServer, startConfiguredServer } from '../support/configured-server.ts';

describe('@kubernetes/client-node', () => {
  let world: LabEnvironment;
  let server: ConfiguredServer;

  beforeAll(async () => {
    world = await makeLabEnvironment();
    server = await startConfiguredServer(world.configuration('k8s.io'), {
      tokenReviewOpen: [{ kind: 'group', name: 'g1' }],
    });
  });
  afterAll(async () => {
    await server?.close();
    await world?.close();
  });

  const clientWith = (token: string): AuthenticationV1Api => {
    const config = new KubeConfig();
    config.loadFromOptions({
      clusters: [
        {
          name: 'lab',
          server: server.url,
          caData: Buffer.from(server.authorityPem ?? '').toString('base64'),
        },
      ],
      users: [{ name: 'someone', token }],
      contexts: [{ name: 'lab', cluster: 'lab', user: 'someone' }],
      currentContext: 'lab',
    });
    return config.makeApiClient(AuthenticationV1Api);
  };
  const tokenOf = (name: string): string => world.tokens.get(name) ?? '';

  test('returns its own identity', async () => {
    const review = await clientWith(tokenOf('good')).createSelfSubjectReview({
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    });
    expect(review.status?.userInfo).toEqual({
      username: 'oidc:jane',
      uid: 'j-1',
      groups: ['g1', 'g2', 'system:authenticated'],
      extra: { 'example.com/dept': ['eng'], 'example.com/roles': ['r1', 'r2'] },
    });
  });

  test('reviews its own token', async () => {
    const review = async (token: string) =>
      (
        await clientWith(tokenOf('good')).createTokenReview({
          body: {
            apiVersion: 'authentication.k8s.io/v1',
            kind: 'TokenReview',
            spec: { token },
          },
        })
      ).status;
    expect(await review(tokenOf('es'))).toMatchObject({
      authenticated: true,
      user: { username: 'oidc:jane' },
    });
    const refused = await review(tokenOf('expired'));
    expect(refused?.authenticated).toBeFalsy();
    expect(refused?.error).toMatch(
      /^\[invalid bearer token, oidc: verify token: oidc: token is expired/,
    );
  });

  test.each([
    ['a refused token', 'expired', 401],
    ['a token signed by a stranger', 'rogue', 401],
    ['a token without a signature', 'none', 401],
    ['a token signed with a shared secret', 'hs', 401],
  ])('%s raises an exception', async (_name, token, code) => {
    const asked = clientWith(tokenOf(token)).createSelfSubjectReview({ body: {} });
    await expect(asked).rejects.toMatchObject({ code });
  });

  test('returns a 403 without permission', async () => {
    const asked = clientWith(tokenOf('nogroups')).createTokenReview({
      body: { spec: { token: tokenOf('good') } },
    });
    await expect(asked).rejects.toMatchObject({ code: 403 });
  });
});
