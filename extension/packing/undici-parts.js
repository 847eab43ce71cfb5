/**
 * The part of undici that asks issuers, in the place of all of it: the rest (fetch, web sockets, mocks,
 * caches) is a third of its code and would never run.
 */
import api from 'undici/lib/api/index.js';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';

// As its own index does it: `request` and its like are methods of what connects.
Object.assign(Dispatcher.prototype, api);

export { Agent, buildConnector, ProxyAgent };
