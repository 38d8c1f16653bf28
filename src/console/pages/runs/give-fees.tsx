import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { formatDinars, formatRate } from '../../../kernel';
import { CHANNELS, FEE_ROUNDINGS } from '../../../payout-inference';
import type { Texts } from '../../../texts';
import { OutcomeRefused } from '../../page/outcome-refused';
import type { Action, Visit } from '../../page/page';
import { requiredText } from '../../page/required-text';
import { typedAmount } from '../../page/typed-amount';
import { ActionForm, Field } from '../../parts/forms';
import { faultOf } from '../../parts/problem-box';
import { ReasonField } from '../../parts/reason-field';
import { Panel } from '../../parts/table';
import { to } from '../../web/own-path';
import { RulesTable } from './rules-table';

type Rule = Json<'listFeeSchedules'>['data'][number]['fees'][number];

const BASES = ['item', 'payout'] as const;
const PPM_IN_PERCENT = 10_000;
const DEFAULT_RULE = { rounding: FEE_ROUNDINGS[0], basis: BASES[0] };

/** A row of the form: a rule in force, or a channel without one. */
type Row = Pick<Rule, 'channel' | 'rounding' | 'basis'> & Partial<Rule>;

/** Shows the fees that a person typed as a table, and then puts them in force. */
export const FEE_ACTIONS: Readonly<Record<'preview' | 'give', Action>> = {
  preview: {
    scope: 'reconciliation:decide',
    async run(visit) {
      const { texts, form, call } = visit;
      const { t } = texts;
      const reason = requiredText(visit, 'reason');
      const { fees } = await call('setFees', { body: { rules: rulesOf(visit), reason }, dryRun: true });
      const title = t('bank:fees.give');
      const body = (
        <Panel title={title}>
          <p>{t('common:state.dryRun')}</p>
          <RulesTable texts={texts} rules={fees} title={title} />
          <ActionForm visit={visit} action="give" path={to('/fees')}>
            {form.fields
              .filter(([name]) => name === 'reason' || /^\d+-/.test(name))
              .map(([name, value]) => (
                <input type="hidden" name={name} value={value} />
              ))}
            <p class="actions">
              <button class="main">{title}</button>
              <a href={to('/fees')}>{t('common:action.discard')}</a>
            </p>
          </ActionForm>
        </Panel>
      );
      return { title, body };
    },
  },
  give: {
    scope: 'reconciliation:decide',
    needsProof: true,
    async run(visit) {
      const body = { rules: rulesOf(visit), reason: requiredText(visit, 'reason') };
      await visit.call('setFees', { body, idempotencyKey: visit.form.value('once') });
      return { to: to('/fees'), said: 'bank:said.feesGiven' };
    },
  },
};

/** Returns the rules of the form: a row without a rate and without a fixed part is none. */
function rulesOf({ form, texts }: Visit): Rule[] {
  const rules: Rule[] = [];
  for (let at = 0; form.value(`${at}-channel`) !== ''; at += 1) {
    const value = (name: string): string => form.value(`${at}-${name}`).trim();
    const channel = CHANNELS.find((each) => each === value('channel'));
    if (channel === undefined || (value('rate') === '' && value('fixed') === '')) continue;
    rules.push({
      channel,
      rate_ppm: typedPercent(texts, `${at}-rate`, value('rate')),
      fixed_millimes: Number(typedAmount(texts, `${at}-fixed`, value('fixed')) ?? 0),
      tva_ppm: typedPercent(texts, `${at}-tva`, value('tva')),
      rounding: FEE_ROUNDINGS.find((each) => each === value('rounding')) ?? DEFAULT_RULE.rounding,
      basis: BASES.find((each) => each === value('basis')) ?? DEFAULT_RULE.basis,
      ...(value('from') === '' ? {} : { from: value('from') }),
    });
  }
  return rules;
}

/** Reads a rate such as `1,5` in millionths; 0 if nothing is typed. @throws OutcomeRefused that names the field. */
function typedPercent(texts: Texts, field: string, typed: string): number {
  if (typed === '') return 0;
  const [, whole = '', rest = ''] = /^(\d{1,3})(?:[.,](\d{1,4}))?\s*%?$/.exec(typed) ?? [];
  const ppm = Number(whole) * PPM_IN_PERCENT + Number(rest.padEnd(4, '0'));
  if (whole === '' || ppm > 100 * PPM_IN_PERCENT) throw new OutcomeRefused(field, texts.t('bank:fees.notARate'));
  return ppm;
}

/** The fees of each channel, as they are in force, to be corrected and given. */
export function GiveForm({ visit, rules }: { visit: Visit; rules: readonly Rule[] }): VNode {
  const { texts, form } = visit;
  const { t } = texts;
  const missing = CHANNELS.filter((channel) => !rules.some((rule) => rule.channel === channel));
  const rows: readonly Row[] = [...rules, ...missing.map((channel) => ({ channel, ...DEFAULT_RULE }))];
  const wasSent = form.value('0-channel') !== '';
  return (
    <details class="panel" open={wasSent}>
      <summary>{t('bank:fees.give')}</summary>
      <p>{t('bank:fees.giveEffect')}</p>
      <ActionForm visit={visit} action="preview" path={to('/fees')}>
        {rows.map((row, at) => (
          <RuleFields visit={visit} row={row} at={at} wasSent={wasSent} />
        ))}
        <ReasonField visit={visit} />
        <p class="actions">
          <button class="main">{t('common:action.preview')}</button>
        </p>
      </ActionForm>
    </details>
  );
}

interface RuleProps {
  readonly visit: Visit;
  readonly row: Row;
  readonly at: number;
  readonly wasSent: boolean;
}

function RuleFields({ visit: { texts, form, problem }, row, at, wasSent }: RuleProps): VNode {
  const { t, word } = texts;
  const percent = (ppm: number | undefined): string => (ppm === undefined ? '' : formatRate(ppm));
  const stored = {
    rate: percent(row.rate_ppm),
    fixed: row.fixed_millimes === undefined ? '' : formatDinars(BigInt(row.fixed_millimes)).replace(/ DT$/, ''),
    tva: percent(row.tva_ppm),
    from: row.from ?? '',
    basis: row.basis as string,
    rounding: row.rounding as string,
  };
  const field = (name: keyof typeof stored) => {
    const value = wasSent ? form.value(`${at}-${name}`) : stored[name];
    return { name: `${at}-${name}`, value, fault: faultOf(problem, `${at}-${name}`) };
  };
  const options = (name: 'basis' | 'rounding', codes: readonly string[], list: 'feeBasis' | 'feeRounding'): VNode => (
    <label>
      {t(`bank:fees.${name}`)}
      <select name={`${at}-${name}`}>
        {codes.map((code) => (
          <option value={code} selected={code === field(name).value}>
            {word(list, code)}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <fieldset class="filter">
      <legend>{word('channel', row.channel)}</legend>
      <input type="hidden" name={`${at}-channel`} value={row.channel} />
      <Field {...field('rate')} label={t('bank:fees.rate')} inputMode="decimal" />
      <Field {...field('fixed')} label={t('bank:fees.fixed')} inputMode="decimal" />
      <Field {...field('tva')} label={word('book', 'tva')} inputMode="decimal" />
      {options('basis', BASES, 'feeBasis')}
      {options('rounding', FEE_ROUNDINGS, 'feeRounding')}
      <Field {...field('from')} label={t('common:field.from')} type="date" />
    </fieldset>
  );
}
