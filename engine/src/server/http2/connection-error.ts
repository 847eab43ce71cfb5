/** What ends a whole connection (RFC 9113, 5.4.1). Holds no byte of what the client sent. */
import { type ErrorCode, errorCodes } from './frame.ts';

/** The message is told to the client. */
export class ConnectionError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** PROTOCOL_ERROR. */
export const protocolError = (message: string): ConnectionError =>
  new ConnectionError(errorCodes.protocol, message);

/** FLOW_CONTROL_ERROR. */
export const flowControlError = (message: string): ConnectionError =>
  new ConnectionError(errorCodes.flowControl, message);

/** FRAME_SIZE_ERROR. */
export const frameSizeError = (message: string): ConnectionError =>
  new ConnectionError(errorCodes.frameSize, message);

/** ENHANCE_YOUR_CALM: the client asks for more than it is worth. */
export const enhanceYourCalm = (message: string): ConnectionError =>
  new ConnectionError(errorCodes.enhanceYourCalm, message);

/** INADEQUATE_SECURITY. */
export const inadequateSecurity = (): ConnectionError =>
  new ConnectionError(errorCodes.inadequateSecurity, 'HTTP/2 is not spoken on the cipher');
