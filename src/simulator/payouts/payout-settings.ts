import { type PayoutPlan, payoutPlanSchema } from './payout-plan';

export const payoutSettings = { payouts: payoutPlanSchema.prefault({}) };

declare module '../core/settings' {
  interface SimulatorSettings {
    readonly payouts: PayoutPlan;
  }
}
