/** Selects the handler of a request for stored objects by its method and path. */
import { methodNotAllowed } from '../../model/api-error.ts';
import type { Exchange } from '../http/exchange.ts';
import { errorResponse, type HandlerResponse } from '../http/handler-response.ts';
import { queryValue } from '../http/target.ts';
import type { ApiContext } from './api-context.ts';
import { createObject } from './create.ts';
import { patchObject } from './patch.ts';
import { getObject, listObjects } from './read.ts';
import { deleteObject, deleteObjects } from './remove.ts';
import type { ObjectHandler } from './status-error.ts';
import type { ObjectTarget } from './target.ts';
import { replaceObject } from './update.ts';
import { watchObjects } from './watch.ts';

/** Answers the request; errors of clients and stores become responses. */
export const apiResponse = (
  exchange: Exchange,
  target: ObjectTarget,
  context: ApiContext,
): HandlerResponse | Promise<HandlerResponse> => {
  const handler = handlerOf(exchange, target);
  return handler === undefined
    ? errorResponse(exchange, methodNotAllowed)
    : handler(exchange, target, context);
};

const handlerOf = (exchange: Exchange, target: ObjectTarget): ObjectHandler | undefined => {
  const { method } = exchange;
  if (target.isWatchPath) return isGet(method) ? watchObjects : undefined;
  if (target.subresource !== '') return isGet(method) ? getObject : undefined;
  return target.name === '' ? collectionHandler(exchange, target) : objectHandler(exchange);
};

const isGet = (method: string): boolean => method === 'GET';

const collectionHandler = (exchange: Exchange, target: ObjectTarget): ObjectHandler | undefined => {
  const { rules, namespace } = target;
  const isEverywhere = rules.row.namespaced && namespace === '';
  switch (exchange.method) {
    case 'GET':
      return wantsWatch(exchange) ? watchObjects : listObjects;
    case 'POST':
      return isEverywhere ? undefined : createObject;
    case 'DELETE':
      // Namespaces can only be deleted individually.
      return isEverywhere || rules.row.resource === 'namespaces' ? undefined : deleteObjects;
    default:
      return undefined;
  }
};

const objectHandler = (exchange: Exchange): ObjectHandler | undefined => {
  switch (exchange.method) {
    case 'GET':
      return getObject;
    case 'PUT':
      return replaceObject;
    case 'PATCH':
      return patchObject;
    case 'DELETE':
      return deleteObject;
    default:
      return undefined;
  }
};

const wantsWatch = ({ target }: Exchange): boolean => {
  const value = queryValue(target, 'watch').toLowerCase();
  return target.query.has('watch') && value !== 'false' && value !== '0';
};
