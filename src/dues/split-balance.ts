import { type Millimes, millimes, ZERO_MILLIMES } from '../kernel';

/** Splits an agent's balance: a debit balance is the due amount, a credit balance is the credit. */
export function splitBalance(balance: Millimes = ZERO_MILLIMES): { due: Millimes; credit: Millimes } {
  return { due: millimes(Math.max(balance, 0)), credit: millimes(Math.max(-balance, 0)) };
}
