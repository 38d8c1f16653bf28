import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Visit } from '../../page/page';
import { Decimal } from '../../parts/decimal';
import { type Column, Pager, Panel, Table } from '../../parts/table';
import { Day, Id, None, Said, Sign } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';

type Lines = Json<'listStatementLines'>;
type Line = Lines['data'][number];

interface LinesPanelProps {
  readonly visit: Visit;
  readonly statement: Json<'showStatement'>;
  readonly lines: Lines;
}

/** The lines of a statement. A credit that may be a payout leads to its page. */
export function LinesPanel({ visit, statement, lines }: LinesPanelProps): VNode {
  const { texts, query } = visit;
  const title = texts.t('bank:statement.lines');
  const own = to('/bank/statements', statement.id);
  return (
    <Panel title={title}>
      <Table
        caption={title}
        rows={lines.data}
        empty={texts.t('bank:statement.noLines')}
        columns={[...factColumns(visit), ...amountColumns(visit)]}
      />
      <Pager
        texts={texts}
        hasMore={lines.hasMore}
        next={withQuery(own, { cursor: lines.nextCursor ?? '' })}
        first={query['cursor'] === undefined ? undefined : own}
      />
    </Panel>
  );
}

function factColumns({ texts }: Visit): readonly Column<Line>[] {
  const { t } = texts;
  return [
    { label: t('bank:line.booked'), isHead: true, cell: ({ bookingDate }) => <Day texts={texts} of={bookingDate} /> },
    { label: t('bank:line.value'), cell: ({ valueDate }) => <Day texts={texts} of={valueDate} /> },
    {
      label: t('bank:line.text'),
      cell: ({ counterparty, remittance, known, statementId }) => (
        <>
          <Said>{[counterparty, remittance].filter((text) => text !== '').join(' · ')}</Said>
          {known ? (
            <small>
              {' '}
              <a href={to('/bank/statements', statementId)}>{t('bank:line.known')}</a>
            </small>
          ) : null}
        </>
      ),
    },
    {
      label: t('common:field.reference'),
      cell: ({ bankReference }) => (bankReference === '' ? <None /> : <Id>{bankReference}</Id>),
    },
  ];
}

function amountColumns({ texts, can }: Visit): readonly Column<Line>[] {
  const { t } = texts;
  const amount = ({ amount: of, currency, id, payoutCandidate }: Line): VNode => {
    const shown = <Decimal texts={texts} of={of} currency={currency} />;
    const opens = payoutCandidate && can('reconciliation:read') && !of.startsWith('-');
    return opens ? <a href={to('/credits', id)}>{shown}</a> : shown;
  };
  return [
    {
      label: t('bank:line.payout'),
      cell: ({ payoutCandidate }) =>
        payoutCandidate ? <Sign tone="good">{t('bank:line.mayBePayout')}</Sign> : <None />,
    },
    { label: t('common:field.amount'), isNumber: true, cell: amount },
    {
      label: t('bank:line.balance'),
      isNumber: true,
      cell: ({ balanceAfter, currency }) => <Decimal texts={texts} of={balanceAfter} currency={currency} />,
    },
  ];
}
