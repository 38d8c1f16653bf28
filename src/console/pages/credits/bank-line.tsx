import type { VNode } from 'preact';
import type { Visit } from '../../page/page';
import { Panel } from '../../parts/table';
import { Day, Fact, Facts, Id, Moment, Money, Said, State, type Tone, Writer } from '../../parts/values';
import { to } from '../../web/own-path';
import type { Credit } from './credit-choice';

const TONES: Readonly<Record<Credit['state'], Tone>> = {
  matched: 'good',
  returned: 'warn',
  written_off: 'plain',
  break: 'bad',
  waiting: 'wait',
};

/** A credit as the bank booked it, with its state, its break and the proposals that wait. */
export function BankLine({ visit, credit }: { visit: Visit; credit: Credit }): VNode {
  const { texts } = visit;
  const { t } = texts;
  const { amountMillimes, counterparty, remittance, breakId, breakClass, proposalIds } = credit;
  return (
    <Panel title={t('credits:line.title')}>
      <p class="large">
        <Money texts={texts} of={amountMillimes} />
      </p>
      {counterparty === '' ? null : (
        <p>
          <Said>{counterparty}</Said>
        </p>
      )}
      {remittance === '' || remittance === counterparty ? null : (
        <p>
          <Said>{remittance}</Said>
        </p>
      )}
      <Facts>
        <Fact name={t('credits:bookedOn')}>
          <Day texts={texts} of={credit.bookingDate} />
        </Fact>
        <Fact name={t('credits:line.valueDate')}>
          <Day texts={texts} of={credit.valueDate} />
        </Fact>
        <Fact name={t('common:field.account')}>
          <Id>{credit.account}</Id>
        </Fact>
        <Fact name={t('common:field.state')}>
          <State texts={texts} list="creditState" code={credit.state} tone={TONES[credit.state]} />
        </Fact>
        {breakId === null || breakClass === null ? null : (
          <Fact name={t('credits:line.break')}>
            <a href={to('/breaks', breakId)}>{texts.word('breakClass', breakClass)}</a>
          </Fact>
        )}
      </Facts>
      {proposalIds.map((id) => (
        <p class="note">
          <a href={to('/proposals', id)}>{t('credits:line.proposalWaits')}</a>
        </p>
      ))}
    </Panel>
  );
}

/** The matches of a credit that were reversed, and why: what was refused. */
export function ReversedMatches({ visit: { texts }, credit }: { visit: Visit; credit: Credit }): VNode | null {
  const { t } = texts;
  if (credit.reversedMatches.length === 0) return null;
  return (
    <Panel title={t('credits:reversed.title')}>
      <ol class="history">
        {credit.reversedMatches.map(({ at, kind, by, reason }) => (
          <li>
            <p class="line">
              <Moment texts={texts} of={at} />
              <Writer texts={texts} of={by} />
              <span>{texts.word('unmatchKind', kind)}</span>
            </p>
            <p class="quote">
              <Said>{reason}</Said>
            </p>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
