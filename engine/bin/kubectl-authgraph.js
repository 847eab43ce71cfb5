#!/usr/bin/env node
/** The program `authgraph` as a plugin of kubectl, which finds it by this name: `kubectl authgraph`. */
import './authgraph.js';
