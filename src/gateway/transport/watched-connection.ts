import * as http from 'node:http';
import * as https from 'node:https';

type OnAnswer = (answer: http.IncomingMessage) => void;

/** The connection of one request, observed from its start. */
export interface WatchedConnection {
  /** The transport that axios uses in place of Node's own module. */
  readonly transport: { request(options: https.RequestOptions, onAnswer: OnAnswer): http.ClientRequest };
  /**
   * Returns false if no connection was made, or no secure one with a valid certificate, so not one byte can have left.
   */
  mayHaveLeft(): boolean;
  /** Returns true while a server has accepted the connection and the TLS handshake has not ended. */
  isInHandshake(): boolean;
}

/** Creates the watcher of one request on its own connection. */
export function watchConnection(): WatchedConnection {
  let isReady = false;
  let isConnected = false;
  return {
    transport: {
      request(options, onAnswer) {
        const isSecure = options.protocol === 'https:';
        const request = (isSecure ? https : http).request(options, onAnswer);
        request.once('socket', (socket) => {
          // The socket was connected before it could be observed, so nothing is proven.
          if (!socket.connecting) isReady = true;
          socket.once('connect', () => {
            isConnected = true;
          });
          socket.once(isSecure ? 'secureConnect' : 'connect', () => {
            isReady = true;
          });
        });
        return request;
      },
    },
    mayHaveLeft: () => isReady,
    isInHandshake: () => isConnected && !isReady,
  };
}
