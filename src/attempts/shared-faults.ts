import type { GatewayErrorCode } from '../gateway';

/** Faults that every other call to the gateway meets as well: no connection, or a refused credential. */
export const SHARED_FAULTS: readonly GatewayErrorCode[] = ['connection', 'authentication', 'permission'];
