/**
 * Replaces undici by the parts used to contact issuers. The rest (fetch, WebSocket, mocks, caches)
 * is a third of its code and never runs.
 */
import api from 'undici/lib/api/index.js';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';

// As in undici's own index: `request` and similar functions become methods of the dispatcher.
Object.assign(Dispatcher.prototype, api);

export { Agent, buildConnector, ProxyAgent };
