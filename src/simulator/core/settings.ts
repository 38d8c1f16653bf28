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
  /** Still accepted for webhooks that are sent with the previous key. */
  previousPrivateKey: secret.default('sk_simulator_previous'),
  apiKey: secret.default('ak_simulator'),
  /** Marks what is created from now on as created with a test application; what exists keeps its mark. */
  isTest: z.boolean().default(false),
};

/**
 * How the simulated gateway behaves. All of it has defaults, and the control API changes it while it runs.
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
