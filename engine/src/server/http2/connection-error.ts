/**
 * Errors that end the whole connection (RFC 9113, 5.4.1). Their messages contain no data of the
 * client.
 */
import { type ErrorCode, errorCodes } from './frame.ts';

/** A connection error; its message is sent to the client as debug data of GOAWAY. */
export class ConnectionError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Creates a PROTOCOL_ERROR. */
export const protocolError = (message: string): ConnectionError =>
  new ConnectionError(errorCodes.protocol, message);

/** Creates a FLOW_CONTROL_ERROR. */
export const flowControlError = (message: string): ConnectionError =>
  new ConnectionError(errorCodes.flowControl, message);

/** Creates a FRAME_SIZE_ERROR. */
export const frameSizeError = (message: string): ConnectionError =>
  new ConnectionError(errorCodes.frameSize, message);

/** Creates an ENHANCE_YOUR_CALM error for excessive load. */
export const enhanceYourCalm = (message: string): ConnectionError =>
  new ConnectionError(errorCodes.enhanceYourCalm, message);

/** Creates an INADEQUATE_SECURITY error. */
export const inadequateSecurity = (): ConnectionError =>
  new ConnectionError(errorCodes.inadequateSecurity, 'prohibited TLS 1.2 cipher suite');
