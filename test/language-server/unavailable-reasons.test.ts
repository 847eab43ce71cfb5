/** Questions that nothing is there for: without a document, each answers with the same sentence. */
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
  '%s says that no configuration is open',
  async (request) => {
    const client = await languageClient();
    expect(await client.connection.sendRequest(request, { uri: '' })).toMatchObject({
      problem: problems.noneOpen,
    });
    await client.close();
  },
);

test('an empty list of samples says how to make one', async () => {
  const client = await languageClient();
  expect(await client.connection.sendRequest(samplesRequest, {})).toEqual({
    samples: [],
    problem: problems.noSamples,
  });
  await client.close();
});
