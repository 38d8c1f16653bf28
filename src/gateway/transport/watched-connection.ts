import * as http from 'node:http';
import * as https from 'node:https';

type OnAnswer = (answer: http.IncomingMessage) => void;

/** The connection of one request, watched from its first step. */
export interface WatchedConnection {
  /** What axios makes its request with, in place of Node's own module. */
  readonly transport: { request(options: https.RequestOptions, onAnswer: OnAnswer): http.ClientRequest };
  /** `false`: no connection came about, or no secure one with a good certificate, so not one byte can have left. */
  mayHaveLeft(): boolean;
  /** `true`: a server accepted the connection, and the TLS handshake has not ended. */
  isInHandshake(): boolean;
}

/** To be used for one request on a connection of its own. */
export function watchConnection(): WatchedConnection {
  let isReady = false;
  let isConnected = false;
  return {
    transport: {
      request(options, onAnswer) {
        const isSecure = options.protocol === 'https:';
        const request = (isSecure ? https : http).request(options, onAnswer);
        request.once('socket', (socket) => {
          // Too late to watch: then nothing is proved.
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
