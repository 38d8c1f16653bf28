import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Action, Visit } from '../../page/page';
import { requiredText } from '../../page/required-text';
import { ActionForm, Field } from '../../parts/forms';
import { faultOf } from '../../parts/problem-box';
import { Panel } from '../../parts/table';
import { Fact, Facts, Id, Money, Sentence, Sign } from '../../parts/values';
import { to } from '../../web/own-path';

type Account = Json<'listBankAccounts'>['accounts'][number];
type Effect = Json<'joinBankAccounts'>;

/** What a person decides about a name: that its number is right, or that it belongs to an account. */
interface Wanted {
  readonly name: string;
  /** The account that the name belongs to; empty to accept the number. */
  readonly into: string;
}

/** Shows the effect of a decision on the name of an account, and then makes it. */
export const ACCOUNT_ACTIONS: Readonly<Record<'previewName' | 'decideName', Action>> = {
  previewName: {
    scope: 'statements:accept',
    async run(visit) {
      const effect = await decide(visit, { dryRun: true });
      return { title: visit.texts.t('bank:names.title'), body: <EffectPanel visit={visit} effect={effect} /> };
    },
  },
  decideName: {
    scope: 'statements:accept',
    async run(visit) {
      await decide(visit, { idempotencyKey: visit.form.value('once') });
      return { to: to('/bank'), said: wantedIn(visit).into === '' ? 'bank:said.nameAccepted' : 'bank:said.nameJoined' };
    },
  },
};

function wantedIn({ form }: Visit): Wanted {
  return { name: form.value('name'), into: form.value('into') };
}

function decide(visit: Visit, how: { dryRun: true } | { idempotencyKey: string }): Promise<Effect> {
  const { name, into } = wantedIn(visit);
  const reason = requiredText(visit, 'reason');
  return into === ''
    ? visit.call('acceptBankAccount', { body: { name, reason }, ...how })
    : visit.call('joinBankAccounts', { body: { name, into, reason }, ...how });
}

function EffectPanel({ visit, effect }: { visit: Visit; effect: Effect }): VNode {
  const { texts, form } = visit;
  const { t } = texts;
  const { name, into } = wantedIn(visit);
  const { warnings, repeated } = effect;
  return (
    <Panel title={t(into === '' ? 'bank:names.accept' : 'bank:names.join')}>
      <p>{t('common:state.dryRun')}</p>
      <p>{t(into === '' ? 'bank:names.acceptEffect' : 'bank:names.joinEffect')}</p>
      {warnings.map((each) => (
        <p>
          <Sign tone="warn">
            <Sentence texts={texts}>{each}</Sentence>
          </Sign>
        </p>
      ))}
      <Facts>
        <Fact name={t('bank:names.name')}>
          <Id>{name}</Id>
        </Fact>
        <Fact name={t('common:field.account')}>
          <Id>{effect.account}</Id>
        </Fact>
        <Fact name={t('bank:names.repeated')}>{texts.count(repeated.lines)}</Fact>
        <Fact name={t('bank:amount.credits')}>
          <Money texts={texts} of={repeated.creditsMillimes} />
        </Fact>
        <Fact name={t('bank:amount.debits')}>
          <Money texts={texts} of={repeated.debitsMillimes} />
        </Fact>
      </Facts>
      <ActionForm visit={visit} action="decideName" path={to('/bank')}>
        <input type="hidden" name="name" value={name} />
        <input type="hidden" name="into" value={into} />
        <input type="hidden" name="reason" value={form.value('reason')} />
        <p class="actions">
          <button class="main">{t('common:action.confirm')}</button>
          <a href={to('/bank')}>{t('common:action.discard')}</a>
        </p>
      </ActionForm>
    </Panel>
  );
}

/** The names that wait for a decision: numbers whose key is wrong, and other forms of the name of an account. */
export function AccountNames({ visit, accounts }: { visit: Visit; accounts: readonly Account[] }): VNode | null {
  const { t } = visit.texts;
  const faulty = accounts.filter(({ keyFault, accepted }) => keyFault !== null && accepted === null);
  const open: readonly Wanted[] = [
    ...faulty.map(({ account }) => ({ name: account, into: '' })),
    ...accounts.flatMap(({ account, toJoin }) => toJoin.map((name) => ({ name, into: account }))),
  ];
  if (open.length === 0 || !visit.can('statements:accept')) return null;
  return (
    <Panel title={t('bank:names.title')}>
      <p>{t('bank:names.what')}</p>
      {open.map((wanted) => (
        <NameForm visit={visit} wanted={wanted} />
      ))}
    </Panel>
  );
}

function NameForm({ visit, wanted }: { visit: Visit; wanted: Wanted }): VNode {
  const { texts, form, problem } = visit;
  const { t } = texts;
  const { name, into } = wanted;
  const isSent = form.value('name') === name && form.value('into') === into;
  return (
    <details class="step" open={isSent}>
      <summary>
        {t(into === '' ? 'bank:names.accept' : 'bank:names.join')} <Id>{name}</Id>
        {into === '' ? null : (
          <>
            {' → '}
            <Id>{into}</Id>
          </>
        )}
      </summary>
      <ActionForm visit={visit} action="previewName" class="narrow">
        <input type="hidden" name="name" value={name} />
        <input type="hidden" name="into" value={into} />
        <Field
          name="reason"
          within={name}
          label={t('common:field.reason')}
          hint={t('common:field.reasonHint')}
          value={isSent ? form.value('reason') : ''}
          fault={isSent ? faultOf(problem, 'reason') : undefined}
          maxLength={500}
          isRequired
        />
        <p class="actions">
          <button>{t('common:action.preview')}</button>
        </p>
      </ActionForm>
    </details>
  );
}
