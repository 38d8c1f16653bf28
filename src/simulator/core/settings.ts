import { z } from 'zod';

const PPM_MAX = 1_000_000;
const MINUTES_MAX = 1_000_000;

const secret = z.string().regex(/^[\x21-\x39\x3b-\x7e]{1,200}$/, 'expected visible ASCII without a colon');

/** Minutes of simulated time. */
export const minutes = z.int().min(0).max(MINUTES_MAX);
/** A share in millionths. */
export const ppm = z.int().min(0).max(PPM_MAX);

/** The settings that belong to no channel. */
export const coreSettings = {
  /** The application credential and the special key that callers must bring. */
  publicKey: secret.default('pk_simulator'),
  privateKey: secret.default('sk_simulator'),
  /** Signs webhooks with the fault `previous_key`. */
  previousPrivateKey: secret.default('sk_simulator_previous'),
  apiKey: secret.default('ak_simulator'),
  /** Marks everything created from now on as created with a test application; existing objects keep their mark. */
  isTest: z.boolean().default(false),
};

/**
 * The behavior of the simulated gateway. All settings have defaults, and the control API can change them at run time.
 *
 * Each channel declares its own settings in its `*-settings.ts`, by merging them into this interface, and
 * `composition/decode-settings.ts` registers how they are read.
 */
export interface SimulatorSettings {
  readonly publicKey: string;
  readonly privateKey: string;
  readonly previousPrivateKey: string;
  readonly apiKey: string;
  readonly isTest: boolean;
}
