import type { VNode } from 'preact';
import type { Texts } from '../../../texts';
import { Decimal } from '../../parts/decimal';
import { Sign } from '../../parts/values';
import { type Verdict, VerdictState } from './statement-state';

interface Proved {
  readonly currency: string | null;
  readonly opening: string | null;
  readonly credits: string;
  readonly debits: string;
  readonly closing: string | null;
  readonly verdict: Verdict;
  readonly difference?: string | null;
}

/** The sum that proves a statement: opening, credits, debits, closing. */
export function StatementProof({ texts, statement }: { texts: Texts; statement: Proved }): VNode {
  const { t } = texts;
  const { currency, opening, credits, debits, closing, verdict, difference = null } = statement;
  const amount = (of: string | null): VNode => <Decimal texts={texts} of={of} currency={currency} />;
  return (
    <div class="sum">
      <dl>
        <Part name={t('bank:amount.opening')}>{amount(opening)}</Part>
        <Part name={t('bank:amount.credits')} sign="+">
          {amount(credits)}
        </Part>
        <Part name={t('bank:amount.debits')} sign="−">
          {amount(debits)}
        </Part>
        <Part name={t('bank:amount.closing')} sign="=">
          {amount(closing)}
        </Part>
      </dl>
      <p>
        <VerdictState texts={texts} of={verdict} />
      </p>
      {verdict === 'unbalanced' && difference !== null ? (
        <p>
          <Sign tone="bad">
            {t('bank:proof.difference')} {amount(difference)}
          </Sign>
        </p>
      ) : null}
    </div>
  );
}

function Part({ name, sign, children }: { name: string; sign?: string; children: VNode }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {sign === undefined ? null : <span class="operator">{sign}</span>}
        {children}
      </dd>
    </div>
  );
}
