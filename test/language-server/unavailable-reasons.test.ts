/** Requests without a document get the same message. */
import { expect, test } from 'vitest';
import {
  changeRequest,
  graphRequest,
  issuerUrlsRequest,
  samplesRequest,
  whoamiRequest,
} from '../../language-server/src/protocol.ts';
import { problems } from '../../language-server/src/unavailable-reasons.ts';
import { languageClient } from '../support/language-client.ts';

test.each([changeRequest, graphRequest, issuerUrlsRequest, whoamiRequest])(
  '%s reports that no configuration is open',
  async (request) => {
    const client = await languageClient();
    expect(await client.connection.sendRequest(request, { uri: '' })).toMatchObject({
      problem: problems.noneOpen,
    });
    await client.close();
  },
);

test('reports how to create a sample if there is none', async () => {
  const client = await languageClient();
  expect(await client.connection.sendRequest(samplesRequest, {})).toEqual({
    samples: [],
    problem: problems.noSamples,
  });
  await client.close();
});
