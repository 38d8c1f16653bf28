import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Visit } from '../../page/page';
import type { Problem } from '../../page/problem';
import { ActionForm } from '../../parts/forms';
import { ProblemBox } from '../../parts/problem-box';
import { ReasonField } from '../../parts/reason-field';
import { Panel } from '../../parts/table';
import { Fact, Facts, Money, Sign } from '../../parts/values';
import { type Effect, EffectFacts, EffectView } from '../proposals/effect-view';
import type { Choice } from './credit-choice';

/** The sums of a choice beside a credit, and what another person would approve if they do not agree. */
export interface Tried {
  readonly sums: Json<'tryMatch'>;
  readonly effect: Effect | undefined;
  /** Why it cannot be proposed. */
  readonly refusal: Problem | undefined;
}

interface DecisionProps {
  readonly visit: Visit;
  readonly choice: Choice;
  readonly tried: Tried;
}

/** What was chosen, what is left of the credit, and the decision: a match if nothing is left, otherwise a proposal. */
export function DecisionPanel({ visit, choice, tried }: DecisionProps): VNode {
  const { texts } = visit;
  const { t } = texts;
  const { sums } = tried;
  const money = (of: number): VNode => <Money texts={texts} of={of} />;
  return (
    <Panel title={t('credits:chosen.title')} class="decision">
      <p role="status">
        <Sign tone={sums.fits ? 'good' : 'warn'}>
          {sums.fits
            ? t('credits:chosen.fits', { count: sums.items })
            : t('credits:chosen.differs', { count: sums.items, rest: texts.money(sums.differenceMillimes) })}
        </Sign>
      </p>
      <Facts>
        <Fact name={t('credits:item.gross')}>{money(sums.grossMillimes)}</Fact>
        <Fact name={t('credits:item.fee')}>{money(sums.feeMillimes)}</Fact>
        <Fact name={t('credits:item.tva')}>{money(sums.tvaMillimes)}</Fact>
        <Fact name={t('credits:item.net')}>{money(sums.netMillimes)}</Fact>
        <Fact name={t('credits:rest')}>{money(sums.differenceMillimes)}</Fact>
      </Facts>
      {sums.fits ? <MatchForm visit={visit} choice={choice} /> : <ProposeForm {...{ visit, choice, tried }} />}
    </Panel>
  );
}

function MatchForm({ visit, choice }: Pick<DecisionProps, 'visit' | 'choice'>): VNode {
  const { t } = visit.texts;
  if (!visit.can('reconciliation:decide')) return <p class="aside">{t('credits:chosen.readOnly')}</p>;
  return (
    <ActionForm visit={visit} action="match" label={t('credits:chosen.match')}>
      <ChoiceFields choice={choice} cursor={visit.form.value('cursor')} />
      <p class="aside">{t('credits:chosen.alone')}</p>
      <ReasonField visit={visit} />
      <p class="actions">
        <button class="main">{t('credits:chosen.match')}</button>
      </p>
    </ActionForm>
  );
}

function ProposeForm({ visit, choice, tried: { effect, refusal } }: DecisionProps): VNode {
  const { texts } = visit;
  const { t } = texts;
  if (!visit.can('breaks:work')) return <p class="aside">{t('credits:chosen.readOnly')}</p>;
  if (effect === undefined) return <ProblemBox texts={texts} problem={refusal} />;
  return (
    <details class="propose" open={visit.form.value('action') === 'propose'}>
      <summary>{t('credits:chosen.propose')}</summary>
      <ActionForm visit={visit} action="propose" label={t('credits:chosen.propose')}>
        <ChoiceFields choice={choice} cursor={visit.form.value('cursor')} />
        <p class="aside">{t('credits:chosen.byTwo')}</p>
        <EffectFacts texts={texts} effect={effect} />
        <EffectView texts={texts} effect={effect} />
        <ReasonField visit={visit} />
        <p class="actions">
          <button class="main">{t('credits:chosen.propose')}</button>
        </p>
      </ActionForm>
    </details>
  );
}

function ChoiceFields({ choice: { itemIds, whole }, cursor }: { choice: Choice; cursor: string }): VNode {
  return (
    <>
      <input type="hidden" name="cursor" value={cursor} />
      {whole === undefined ? (
        itemIds.map((itemId) => <input type="hidden" name="item" value={itemId} />)
      ) : (
        <input type="hidden" name="whole" value={whole} />
      )}
    </>
  );
}
