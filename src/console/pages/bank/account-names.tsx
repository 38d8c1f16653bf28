import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Action, Visit } from '../../page/page';
import { requiredText } from '../../page/required-text';
import { ActionForm, Choice, Field } from '../../parts/forms';
import { faultOf } from '../../parts/problem-box';
import { ReasonField } from '../../parts/reason-field';
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

/** Confirms a number whose key is wrong, so that its statements can be imported, or joins a name to an account. */
export function AccountNames({ visit, accounts }: { visit: Visit; accounts: readonly Account[] }): VNode | null {
  const { texts, form, problem } = visit;
  const { t } = texts;
  if (!visit.can('statements:accept')) return null;
  const proposed = accounts.flatMap(({ account, toJoin }) => toJoin.map((name) => ({ name, account })));
  return (
    <details class="panel" open={proposed.length > 0 || problem !== undefined}>
      <summary>{t('bank:names.title')}</summary>
      <p>{t('bank:names.what')}</p>
      {proposed.length === 0 ? null : (
        <ul class="bullets">
          {proposed.map(({ name, account }) => (
            <li>
              <Id>{name}</Id> → <Id>{account}</Id>
            </li>
          ))}
        </ul>
      )}
      <ActionForm visit={visit} action="previewName" class="narrow">
        <Field
          name="name"
          label={t('bank:names.name')}
          value={form.value('name') || proposed[0]?.name || ''}
          fault={faultOf(problem, 'name')}
          maxLength={255}
          isRequired
          isPlain
        />
        <Choice
          name="into"
          label={t('bank:names.into')}
          value={form.value('into') || proposed[0]?.account || ''}
          options={[['', t('bank:names.accept')], ...accounts.map(({ account }) => [account, account] as const)]}
        />
        <ReasonField visit={visit} />
        <p class="actions">
          <button>{t('common:action.preview')}</button>
        </p>
      </ActionForm>
    </details>
  );
}
