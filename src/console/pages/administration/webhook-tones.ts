/** How the state and the signature of a webhook are to be read. */
export const STATE_TONES = { received: 'wait', parked: 'warn', done: 'good', ignored: 'plain' } as const;
export const PROOF_TONES = { authentic: 'good', stale: 'warn', unsigned: 'plain' } as const;
