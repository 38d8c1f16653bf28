import { assert } from '../kernel';

declare const accountBrand: unique symbol;

/** The name of an account of the ledger, such as `agent_receivable:004711`. Only this file creates account names. */
export type Account = string & { readonly [accountBrand]: true };

type AccountType = 'asset' | 'liability' | 'income' | 'expense' | 'equity';

/** The channels of the gateway through which money arrives. */
export const CHANNELS = ['agent', 'card', 'wallet', 'mpayment', 'pos', 'qr', 'subscription'] as const;
export type Channel = (typeof CHANNELS)[number];

/** The chart of accounts: all kinds of accounts. The name after the colon identifies one account of the kind. */
const CHART: Readonly<Record<string, AccountType>> = {
  agent_receivable: 'asset',
  gateway_clearing: 'asset',
  bank: 'asset',
  bank_unmatched: 'liability',
  bank_other: 'equity',
  gateway_fees: 'expense',
  gateway_fees_tva: 'expense',
  dues_assessed: 'income',
  payments_received: 'income',
  write_off: 'expense',
  opening_balances: 'equity',
};

const AGENT_RECEIVABLE = 'agent_receivable';

/** Returns the account of an agent: its debit balance is the due amount, its credit balance the agent's credit. */
export function agentReceivable(agentId: string): Account {
  return `${AGENT_RECEIVABLE}:${agentId}` as Account;
}

/** Returns the account of what the gateway owes the integrator through one channel. */
export function gatewayClearing(channel: Channel): Account {
  return `gateway_clearing:${channel}` as Account;
}

/** Returns a bank account, whose balance equals the closing balance of its last proven statement. */
export function bankAccount(account: string): Account {
  return `bank:${account}` as Account;
}

/** Statement lines of either sign that are not explained yet. */
export const BANK_UNMATCHED = 'bank_unmatched' as Account;
export const DUES_ASSESSED = 'dues_assessed' as Account;
/** The source of every payment by a customer who is not an agent. */
export const PAYMENTS_RECEIVED = 'payments_received' as Account;
export const GATEWAY_FEES = 'gateway_fees' as Account;
/** The VAT on the gateway's fees. */
export const GATEWAY_FEES_TVA = 'gateway_fees_tva' as Account;
/** Differences that two people agreed to write off or to accept. */
export const WRITE_OFF = 'write_off' as Account;
export const OPENING_BALANCES = 'opening_balances' as Account;

/** Reads an account name from the database. An unknown kind means that another program wrote it. */
export function toAccount(name: unknown): Account {
  assert(typeof name === 'string', 'an account name is text');
  assert(CHART[kindOf(name)] !== undefined, 'an account of a kind that the chart does not have');
  return name as Account;
}

export function isGatewayClearing(account: Account): boolean {
  return kindOf(account) === 'gateway_clearing';
}

/**
 * Returns whether the balance of an account is stored in a row. Only agents' balances are, because every confirm would
 * wait for a shared row.
 */
export function keepsBalance(account: Account): boolean {
  return kindOf(account) === AGENT_RECEIVABLE;
}

function kindOf(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(0, colon);
}
