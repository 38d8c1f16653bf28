import type { Database } from '../db';
import { type Clock, type Instant, SECOND_MS } from '../kernel';
import type { Family, Labels, Sample } from './families';
import type { MoneySums } from './money-sums';
import type { Gauges } from './read-gauges';

interface GaugeDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Returns what the present scrape read. */
  readonly gauges: () => Gauges;
}

/** Returns the metrics whose values lie in the database, and the use of its connections. */
export function gaugeFamilies({ database, clock, gauges }: GaugeDeps): Family[] {
  const secondsSince = (at: Instant): number => (clock.now() - at) / SECOND_MS;
  return [
    gauge('millime_database_up', 'Whether the last scrape could read the database.', () => [
      { value: gauges().state === undefined ? 0 : 1 },
    ]),
    gauge('millime_database_connections', 'Connections of this process by state.', () => {
      const { used, free } = database.poolUse();
      return [labeled({ state: 'used' }, used), labeled({ state: 'free' }, free)];
    }),
    gauge('millime_database_connections_max', 'Connections that this process may open.', () => [
      { value: database.poolUse().max },
    ]),
    gauge('millime_database_waiting', 'Calls of this process that wait for a connection.', () => [
      { value: database.poolUse().waiting },
    ]),
    ...inboxFamilies(gauges, secondsSince),
    ...gatewayFamilies(gauges),
    gauge('millime_breaks_open', 'Open breaks by class and severity.', () =>
      (gauges().breaks ?? []).map(({ breakClass, severity, count }) => labeled({ class: breakClass, severity }, count)),
    ),
    ...moneyFamilies(gauges, secondsSince),
    gauge('millime_job_lag_seconds', 'Seconds since the last window of a job that ended.', () =>
      (gauges().state?.jobs ?? []).map(({ job, endedAt }) => labeled({ job_name: job }, secondsSince(endedAt))),
    ),
    gauge('millime_job_success_lag_seconds', 'Seconds since the last window of a job that ended without a fault.', () =>
      (gauges().state?.jobs ?? []).map(({ job, doneAt }) => labeled({ job_name: job }, secondsSince(doneAt))),
    ),
    gauge('millime_token_expiry_seconds', 'Seconds until the last valid token of the gateway expires.', () => {
      const { tokens } = gauges();
      if (tokens === undefined || tokens.state === 'never_minted') return [];
      return [{ value: tokens.state === 'expired' ? 0 : -secondsSince(tokens.expiresAt) }];
    }),
  ];
}

function inboxFamilies(gauges: () => Gauges, secondsSince: (at: Instant) => number): Family[] {
  const inState = (state: 'received' | 'parked') => gauges().state?.webhooks.find((each) => each.state === state);
  const ofEach = (value: (state: 'received' | 'parked') => number): Sample[] =>
    gauges().state === undefined
      ? []
      : (['received', 'parked'] as const).map((state) => labeled({ state }, value(state)));
  return [
    gauge('millime_inbox_webhooks', 'Stored webhooks that are not processed yet, by state.', () =>
      ofEach((state) => inState(state)?.count ?? 0),
    ),
    gauge('millime_inbox_oldest_seconds', 'Age of the oldest webhook that is not processed yet, by state.', () =>
      ofEach((state) => {
        const oldest = inState(state);
        return oldest === undefined ? 0 : secondsSince(oldest.oldestAt);
      }),
    ),
  ];
}

function gatewayFamilies(gauges: () => Gauges): Family[] {
  const ofEach = (part: 'used' | 'limit'): Sample[] => {
    const budget = gauges().state?.budget;
    if (budget === undefined) return [];
    const { verifies, creations } = budget;
    return [
      labeled({ operation: 'verify' }, verifies[part]),
      labeled({ operation: 'create_subscription' }, creations[part]),
    ];
  };
  const ofCircuit = (value: (circuit: { isOpen: boolean; refusedForMs: number }) => number): Sample[] => {
    const circuit = gauges().state?.budget?.circuit;
    return circuit === undefined ? [] : [{ value: value(circuit) }];
  };
  return [
    gauge('millime_gateway_calls_used', 'Calls of the last minute that the gateway counts.', () => ofEach('used')),
    gauge('millime_gateway_calls_limit', 'Calls that any minute may have.', () => ofEach('limit')),
    gauge('millime_gateway_circuit_open', 'Whether calls to the gateway are stopped.', () =>
      ofCircuit(({ isOpen }) => Number(isOpen)),
    ),
    gauge('millime_gateway_refused_seconds', 'Seconds until the next call to the gateway may be sent.', () =>
      ofCircuit(({ refusedForMs }) => refusedForMs / SECOND_MS),
    ),
  ];
}

/** The stage of money that an account holds, and whether its credit side does. */
const STAGES = [
  { account: 'agent_receivable', stage: 'owed', sign: 1 },
  { account: 'bank', stage: 'banked', sign: 1 },
  { account: 'bank_unmatched', stage: 'unmatched', sign: -1 },
  { account: 'gateway_fees', stage: 'fees', sign: 1 },
  { account: 'gateway_fees_tva', stage: 'fees_tva', sign: 1 },
  { account: 'write_off', stage: 'written_off', sign: 1 },
] as const;
const CLEARING = 'gateway_clearing:';

function moneyFamilies(gauges: () => Gauges, secondsSince: (at: Instant) => number): Family[] {
  const ofMoney = (samples: (money: MoneySums) => readonly Sample[]): readonly Sample[] => {
    const { money } = gauges();
    return money === undefined ? [] : samples(money);
  };
  return [
    gauge('millime_money_millimes', 'Money in each stage; money in transit also by channel.', () =>
      ofMoney(({ balances }) => [
        ...STAGES.map(({ account, stage, sign }) =>
          labeled({ stage, channel: '' }, sign * Number(balances.get(account) ?? 0n)),
        ),
        ...[...balances].flatMap(([account, balance]) =>
          account.startsWith(CLEARING)
            ? [labeled({ stage: 'in_transit', channel: account.slice(CLEARING.length) }, Number(balance))]
            : [],
        ),
      ]),
    ),
    gauge('millime_money_age_seconds', 'Seconds since the instant that the money in each stage is of.', () =>
      ofMoney(({ through }) => [{ value: secondsSince(through) }]),
    ),
  ];
}

function gauge(name: string, help: string, samples: () => readonly Sample[]): Family {
  return { type: 'gauge', name, help, samples };
}

function labeled(labels: Labels, value: number): Sample {
  return { labels, value };
}
