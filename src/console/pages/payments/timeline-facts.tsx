import type { ComponentChildren } from 'preact';
import type { Json } from '../../../api';
import type { Visit } from '../../page/page';
import { LinkIf } from '../../parts/links';
import { Day, Id, Money } from '../../parts/values';
import { to } from '../../web/own-path';

type Entry = Json<'listPaymentTimeline'>['data'][number];
type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { readonly kind: Kind }>;

/** The facts of an entry in the order in which they are read; null for one that is not known. */
type Facts = readonly ComponentChildren[];

type FactsOf = { readonly [Kind in Entry['kind']]: (visit: Visit, entry: EntryOf<Kind>) => Facts };

/** Returns what an entry states, without what is not known. */
export function factsOf(visit: Visit, entry: Entry): Facts {
  const facts = (FACTS[entry.kind] as (visit: Visit, entry: Entry) => Facts)(visit, entry);
  return facts.filter((fact) => fact !== null && fact !== undefined && fact !== '');
}

const breakFacts = ({ texts, can }: Visit, { from, facts }: EntryOf<'break_opened' | 'break_reopened'>): Facts => [
  <LinkIf may={can('breaks:read')} href={to('/breaks', from.id)}>
    {texts.word('breakClass', facts.class)}
  </LinkIf>,
];

const dayFacts = ({ texts, can }: Visit, { facts }: EntryOf<'day_closed' | 'day_reopened'>): Facts => [
  <LinkIf may={can('days:read')} href={to('/days', facts.day)}>
    <Day texts={texts} of={facts.day} />
  </LinkIf>,
];

const FACTS: FactsOf = {
  requested: ({ texts }, { facts }) => [
    texts.word('paymentKind', facts.attemptKind),
    id(facts.reference),
    <Money texts={texts} of={facts.amountMillimes} />,
  ],
  sent: ({ texts }, { facts }) => [
    texts.word('requestState', facts.requestState),
    id(facts.gatewayId),
    said(facts.error),
    facts.sessionEndsAt === null
      ? null
      : texts.t('payments:timeline.sessionEnds', { instant: texts.instant(facts.sessionEndsAt) }),
  ],
  confirmed: ({ texts, can }, { facts }) => [
    <LinkIf may={can('agents:lookup')} href={to('/agents', facts.agentId)}>
      <Id>{facts.agentId}</Id>
    </LinkIf>,
    <Money texts={texts} of={facts.amountMillimes} />,
  ],
  confirm_refused: ({ texts }, { facts }) => [
    texts.word('refusalKind', facts.reason),
    times(texts, facts.times),
    facts.times > 1 ? texts.t('payments:timeline.last', { instant: texts.instant(facts.lastAt) }) : null,
  ],
  paid: ({ texts }, { at, facts }) => [
    <Money texts={texts} of={facts.amountMillimes} />,
    facts.notBefore === null || facts.notBefore === at
      ? null
      : texts.t('payments:timeline.notBefore', { instant: texts.instant(facts.notBefore) }),
  ],
  listed: ({ texts }, { facts }) => [
    facts.status === null ? null : texts.word('paymentStatus', facts.status),
    facts.method === null ? null : texts.word('paymentMethod', facts.method),
    <Money texts={texts} of={facts.amountMillimes} />,
  ],
  status_observed: ({ texts }, { facts }) => [
    texts.word('observationSource', facts.call),
    texts.word('paymentStatus', facts.status),
    facts.settlementStatus === null ? null : texts.word('settlementStatus', facts.settlementStatus),
    facts.method === null ? null : texts.word('paymentMethod', facts.method),
    facts.amountMillimes === null ? null : <Money texts={texts} of={facts.amountMillimes} />,
  ],
  webhook_received: ({ texts, can }, { from, facts }) => [
    <LinkIf may={can('webhooks:read')} href={to('/webhooks', from.id)}>
      <Id>{facts.event}</Id>
    </LinkIf>,
    texts.word('webhookProof', facts.proof),
    texts.word('webhookState', facts.state),
    facts.outcome === null ? null : texts.word('webhookOutcome', facts.outcome),
    facts.times > 1 ? times(texts, facts.times) : null,
  ],
  operation_requested: ({ texts }, { facts }) => [
    texts.word('operationKind', facts.operation),
    facts.amountMillimes === null ? null : <Money texts={texts} of={facts.amountMillimes} />,
  ],
  operation_ended: ({ texts }, { facts }) => [
    texts.word('operationKind', facts.operation),
    texts.word('operationState', facts.state),
    id(facts.refundId),
    said(facts.error),
  ],
  posted: ({ texts }, { facts }) => [
    texts.word('ledgerCode', facts.code),
    <Money texts={texts} of={facts.amountMillimes} />,
    texts.t('payments:timeline.counted', { instant: texts.instant(facts.occurredAt) }),
  ],
  expected_at_bank: ({ texts }, { facts }) => [
    <Day texts={texts} of={facts.latestOn} />,
    facts.usuallyOn === null ? null : texts.t('payments:timeline.usually', { date: texts.date(facts.usuallyOn) }),
  ],
  matched: ({ texts, can }, { facts }) => [
    <LinkIf may={can('reconciliation:read')} href={to('/credits', facts.creditId)}>
      {texts.t('payments:timeline.creditOf', { date: texts.date(facts.bookedOn) })}
    </LinkIf>,
    texts.word('matchKind', facts.matchKind),
    texts.word('evidence', facts.evidence),
    <Money texts={texts} of={facts.amountMillimes} />,
    texts.t('payments:timeline.fees', { fee: texts.money(facts.feeMillimes), tva: texts.money(facts.tvaMillimes) }),
    facts.approvedBy === null ? null : texts.t('payments:timeline.approvedBy', { name: facts.approvedBy }),
  ],
  unmatched: ({ texts, can }, { facts }) => [
    <LinkIf may={can('reconciliation:read')} href={to('/credits', facts.creditId)}>
      {texts.word('unmatchKind', facts.unmatchKind)}
    </LinkIf>,
    said(facts.reason),
  ],
  break_opened: breakFacts,
  break_reopened: breakFacts,
  break_resolved: (visit, { from, facts, ...entry }) => [
    ...breakFacts(visit, { ...entry, kind: 'break_opened', from, facts }),
    visit.texts.word('resolution', facts.resolution),
  ],
  day_closed: dayFacts,
  day_reopened: dayFacts,
};

const id = (text: string | null): ComponentChildren => (text === null ? null : <Id>{text}</Id>);
const said = (text: string | null): ComponentChildren => (text === null ? null : <bdi>{text}</bdi>);
const times = (texts: Visit['texts'], count: number): string => texts.t('payments:timeline.times', { count });
