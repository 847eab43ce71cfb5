/** Recorded results of tokens in WebSocket subprotocols. */
import { expect, test } from 'vitest';
import { moduleCases } from '../support/answer-modules/module-cases.ts';
import { answerWebsocket, type WebsocketCase } from '../support/answer-modules/websocket.ts';

const recorded = moduleCases<WebsocketCase['config'], WebsocketCase['input']>('websocket');

test.each(recorded)('$id', async ({ expect: answer, ...line }) => {
  expect(await answerWebsocket(line)).toEqual(answer);
});
