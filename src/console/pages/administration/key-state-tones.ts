import type { Tone } from '../../parts/values';

/** The tones of the states of a key or a token. */
export const KEY_STATE_TONES = { active: 'good', expired: 'plain', revoked: 'bad' } as const satisfies Readonly<
  Record<string, Tone>
>;
