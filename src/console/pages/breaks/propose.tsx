import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Done, Shown, Visit } from '../../page/page';
import { typedAmount } from '../../page/typed-amount';
import { ActionForm, Choice, Field } from '../../parts/forms';
import { faultOf } from '../../parts/problem-box';
import { Panel } from '../../parts/table';
import { Fact, Facts, Said } from '../../parts/values';
import { to } from '../../web/own-path';
import { accountText, EffectFacts, EffectView } from '../proposals/effect-view';
import type { ShownBreak } from './break-history';
import { VersionField } from './break-steps';

export type Place = Json<'listWriteOffPlaces'>['data'][number];
const KINDS = ['write_off', 'accept', 'reopen', 'unmatch'] as const;
type Kind = (typeof KINDS)[number];

interface ProposeProps {
  readonly visit: Visit;
  readonly of: ShownBreak;
  readonly places: readonly Place[];
}

/** An action that another person must approve. Its effect is shown before it is proposed. */
export function ProposePanel({ visit, of, places }: ProposeProps): VNode | null {
  const { texts, form, problem } = visit;
  const { t } = texts;
  const kinds = possibleKinds(of, places);
  if (!visit.can('breaks:work') || of.proposalId !== null || kinds.length === 0) return null;
  return (
    <details class="panel" open={/^(?:tryPropose|propose)$/.test(form.value('action'))}>
      <summary>{t('breaks:propose.title')}</summary>
      <p class="aside">{t('breaks:propose.what')}</p>
      <ActionForm visit={visit} action="tryPropose" label={t('breaks:propose.title')}>
        <VersionField of={of} />
        <Choice
          name="kind"
          label={t('breaks:propose.action')}
          value={form.value('kind')}
          options={kinds.map((kind) => [kind, texts.word('action', kind)] as const)}
        />
        {kinds.includes('write_off') ? <WriteOffFields visit={visit} places={places} /> : null}
        <Field
          name="reason"
          within="propose"
          label={t('common:field.reason')}
          hint={t('breaks:propose.reasonHint')}
          value={form.value('reason')}
          maxLength={500}
          fault={faultOf(problem, 'reason')}
          isRequired
        />
        <p class="actions">
          <button class="main">{t('breaks:propose.try')}</button>
        </p>
      </ActionForm>
    </details>
  );
}

function WriteOffFields({ visit, places }: Pick<ProposeProps, 'visit' | 'places'>): VNode {
  const { texts, form, problem } = visit;
  const { t } = texts;
  const options = places.map(({ account, effect, leftMillimes }) => {
    const named = { account: accountText(texts, account), effect: texts.word('writeOffEffect', effect) };
    return [account, t('breaks:propose.place', { ...named, left: texts.money(leftMillimes) })] as const;
  });
  const label = t('breaks:propose.account');
  return (
    <>
      {options.length > 1 ? (
        <Choice name="account" label={label} value={form.value('account')} options={options} />
      ) : (
        <Facts>
          <Fact name={label}>{options[0]?.[1]}</Fact>
        </Facts>
      )}
      <Field
        name="amount"
        label={t('breaks:propose.amount')}
        hint={t('breaks:propose.amountHint')}
        value={form.value('amount')}
        inputMode="decimal"
        fault={faultOf(problem, 'amount') ?? faultOf(problem, 'action/payload/amountMillimes')}
        isPlain
      />
    </>
  );
}

function possibleKinds(of: ShownBreak, places: readonly Place[]): readonly Kind[] {
  if (of.status === 'resolved') return of.resolution === 'force_matched' ? ['unmatch'] : ['reopen'];
  return places.length === 0 ? ['accept'] : ['write_off', 'accept'];
}

/** Shows what an approval of the action would change, and the button that proposes it. */
export async function tryPropose(visit: Visit): Promise<Shown> {
  const { breakId = '' } = visit.params;
  const { texts, form } = visit;
  const { t } = texts;
  const action = actionOf(visit);
  const reason = form.value('reason');
  const call = { params: { breakId }, body: { action, reason }, ifVersion: versionOf(visit) };
  const { proposal } = await visit.call('proposeForBreak', { ...call, dryRun: true });
  const effect = proposal?.effect ?? undefined;
  const body = (
    <Panel title={texts.word('action', action.kind)}>
      {effect === undefined ? null : <EffectFacts texts={texts} effect={effect} />}
      {effect === undefined ? null : <EffectView texts={texts} effect={effect} />}
      <p class="quote">
        <Said>{reason}</Said>
      </p>
      <ActionForm visit={visit} action="propose" label={t('breaks:propose.title')}>
        {['version', 'kind', 'account', 'amount', 'reason'].map((name) => (
          <input type="hidden" name={name} value={form.value(name)} />
        ))}
        <p class="aside">{t('breaks:propose.waits')}</p>
        <p class="actions">
          <button class="main">{t('breaks:propose.submit')}</button>
          <a href={visit.here}>{t('common:action.discard')}</a>
        </p>
      </ActionForm>
    </Panel>
  );
  return { title: t('breaks:propose.effect'), body };
}

export async function propose(visit: Visit): Promise<Done> {
  const { breakId = '' } = visit.params;
  const { form } = visit;
  const { proposalId } = await visit.call('proposeForBreak', {
    params: { breakId },
    body: { action: actionOf(visit), reason: form.value('reason') },
    ifVersion: versionOf(visit),
    idempotencyKey: form.value('once'),
  });
  return { to: to('/proposals', proposalId ?? ''), said: 'breaks:said.proposed' };
}

function actionOf({ form, texts }: Visit) {
  const kind = KINDS.find((each) => each === form.value('kind')) ?? 'accept';
  if (kind !== 'write_off') return { kind, payload: {} } as const;
  const account = form.value('account');
  const amount = typedAmount(texts, 'amount', form.value('amount'));
  return {
    kind,
    payload: { ...(account === '' ? {} : { account }), ...(amount === undefined ? {} : { amountMillimes: amount }) },
  } as const;
}

/** Returns the version of the break that the page showed. */
export function versionOf({ form }: Visit): number {
  return Number(form.value('version'));
}
