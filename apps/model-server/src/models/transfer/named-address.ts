import { TransferError } from './transfer-error.js';

/** The address that a server names in an answer, which may be relative to where the answer came from. */
export function namedAddress(address: string, from: URL): URL {
  try {
    return new URL(address, from);
  } catch (error) {
    throw new TransferError(`${from.host} names an address that cannot be read`, {
      retryable: false,
      cause: error,
    });
  }
}
