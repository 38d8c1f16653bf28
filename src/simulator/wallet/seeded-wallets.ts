import { millimes } from '../../kernel';

/** Wallets that exist from the start, so that payments need no linking. */
export const SEEDED_WALLETS = [
  {
    walletId: '100001',
    phoneNumber: '21620000001',
    trackingId: '5e0c1d3a-6b1f-4d0e-9a01-000000000001',
    name: 'Leila Ben Salah',
    balanceMillimes: millimes(1_250_500),
  },
  {
    // The balance is enough for each of the magic amounts several times.
    walletId: '100002',
    phoneNumber: '21620000002',
    trackingId: '5e0c1d3a-6b1f-4d0e-9a01-000000000002',
    name: 'Hatem Trabelsi',
    balanceMillimes: millimes(1_000_000_000),
  },
  {
    walletId: '100003',
    phoneNumber: '21620000003',
    trackingId: '5e0c1d3a-6b1f-4d0e-9a01-000000000003',
    name: 'Sonia Gharbi',
    balanceMillimes: millimes(0),
  },
] as const;
