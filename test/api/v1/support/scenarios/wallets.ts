import { payQr, SEEDED_WALLETS } from '../../../../../src/simulator/testing';
import { BY_TEST } from '../../../../support/factories';
import { audited, type Scenarios } from './scenario';

const [, { phoneNumber, trackingId }] = SEEDED_WALLETS;
const ACCOUNT = { phoneNumber, trackingId };
const PAYMENT = { ...ACCOUNT, amountMillimes: 7_000, product: 'P1' };

export const WALLET_SCENARIOS: Scenarios = {
  async listQrPurchases({ millime, gateway }) {
    const made = await millime.paymentChannels.createQr({ amountMillimes: 2_500, barcode: true }, BY_TEST);
    if (made.kind !== 'created') throw new Error(`the code ended ${made.kind}`);
    payQr(gateway.simulator.simulation, made.payment.gatewayId ?? '', { times: 2 });
    return { call: { query: { from: '2026-03-02', to: '2026-03-02' } } };
  },
  async linkWallet(api) {
    return {
      call: { body: { phoneNumber: '21620000009' } },
      other: { body: { phoneNumber: '21620000008' } },
      effect: () => audited(api, 'wallet.link_requested'),
    };
  },
  async readWalletBalance() {
    return { call: { body: ACCOUNT } };
  },
  async readWalletHistory({ millime }) {
    await millime.paymentChannels.payFromWallet(PAYMENT, BY_TEST);
    return { call: { body: { ...ACCOUNT, from: '2026-03-01', to: '2026-03-02' } } };
  },
  async payFromWallet(api) {
    return {
      call: { body: PAYMENT },
      other: { body: { ...PAYMENT, amountMillimes: 8_000 } },
      effect: () => audited(api, 'payment.sent'),
    };
  },
};
