import type { SimulatorSettings } from '../core/settings';

/** Returns settings as JSON that `decodeSettings` can read; fees have the format of `fees.json`. */
export function settingsJson(settings: SimulatorSettings): Readonly<Record<string, unknown>> {
  const { payouts } = settings;
  const fees = payouts.fees.map(({ ratePpm, fixedMillimes, tvaPpm, ...rule }) => ({
    ...rule,
    rate_ppm: ratePpm,
    fixed_millimes: fixedMillimes,
    tva_ppm: tvaPpm,
  }));
  return { ...settings, payouts: { ...payouts, fees } };
}
