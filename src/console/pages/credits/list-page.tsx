import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { TextKey, Texts } from '../../../texts';
import type { Page, Visit } from '../../page/page';
import { dinarsOf } from '../../page/typed-amount';
import { AsOf } from '../../parts/cut-off';
import { Choice, Field, FilterForm } from '../../parts/forms';
import { type Column, Pager, Table } from '../../parts/table';
import { Day, Money, Said, State, type Tone } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';

type Credits = Json<'listCredits'>;
type Credit = Credits['data'][number];

const PATH = '/credits';
/** What the filter `show` may say; the first one is that of a person who says nothing. */
const SHOWN = {
  open: 'waiting,break',
  explained: 'matched,forced,returned,written_off',
  all: undefined,
} as const;
type ShownKey = keyof typeof SHOWN;
const TITLES = {
  open: 'credits:title',
  explained: 'credits:list.explainedTitle',
  all: 'credits:list.caption',
} as const satisfies Readonly<Record<ShownKey, TextKey>>;

const TONES: Readonly<Record<Credit['outcome'], Tone>> = {
  matched: 'good',
  forced: 'good',
  returned: 'warn',
  break: 'bad',
  waiting: 'wait',
  written_off: 'plain',
};

/** The credits of the bank: those that nothing explains, or others. */
export const CREDITS_PAGE: Page = {
  path: PATH,
  scope: 'reconciliation:read',
  menu: { group: 'daily', label: 'common:menu.credits' },
  async show(visit) {
    const { texts, query, call } = visit;
    const { from, to: through, cursor, min = '' } = query;
    const shown = shownOf(query['show']);
    const least = min === '' ? undefined : dinarsOf(min);
    const filter = { from, to: through, outcome: SHOWN[shown], minAmountMillimes: least?.toString() };
    const list = await call('listCredits', { query: { ...given(filter), cursor } });
    const isWrong = min !== '' && least === undefined;
    const body = (
      <>
        <AsOf texts={texts} now={visit.now} />
        <Filter visit={visit} shown={shown} fault={isWrong ? texts.t('common:form.notAnAmount') : undefined} />
        <CreditTable texts={texts} list={list} isFiltered={isFiltered(visit)} shown={shown} />
        <Pager
          texts={texts}
          hasMore={list.hasMore}
          next={withQuery(to(PATH), { ...query, cursor: list.nextCursor ?? '' })}
          first={cursor === undefined ? undefined : withQuery(to(PATH), { ...query, cursor: undefined })}
        />
      </>
    );
    return { title: texts.t(TITLES[shown]), body, isWide: true };
  },
};

function shownOf(text: string | undefined): ShownKey {
  return text !== undefined && Object.hasOwn(SHOWN, text) ? (text as ShownKey) : 'open';
}

/** Leaves out what a form sends for an empty field. */
function given<T extends Readonly<Record<string, string | undefined>>>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => (value ?? '') !== '')) as Partial<T>;
}

function isFiltered({ query }: Visit): boolean {
  return ['from', 'to', 'min'].some((name) => (query[name] ?? '') !== '');
}

function Filter({ visit, shown, fault }: { visit: Visit; shown: ShownKey; fault: string | undefined }): VNode {
  const { texts, query } = visit;
  const { t } = texts;
  return (
    <FilterForm texts={texts} path={to(PATH)}>
      <Choice
        name="show"
        label={t('credits:list.show')}
        value={shown}
        options={[
          ['open', t('credits:list.open')],
          ['explained', t('credits:list.explained')],
          ['all', t('credits:list.all')],
        ]}
      />
      <Field name="from" type="date" label={t('common:field.from')} value={query['from'] ?? ''} />
      <Field name="to" type="date" label={t('common:field.through')} value={query['to'] ?? ''} />
      <Field
        name="min"
        inputMode="decimal"
        label={t('credits:list.atLeast')}
        value={query['min'] ?? ''}
        fault={fault}
        isPlain
      />
    </FilterForm>
  );
}

interface CreditTableProps {
  readonly texts: Texts;
  readonly list: Credits;
  readonly isFiltered: boolean;
  readonly shown: ShownKey;
}

function CreditTable({ texts, list, isFiltered, shown }: CreditTableProps): VNode {
  const { t } = texts;
  const columns: readonly Column<Credit>[] = [
    {
      label: t('credits:bookedOn'),
      isHead: true,
      cell: ({ lineId, bookingDate }) => (
        <a href={to(PATH, lineId)}>
          <Day texts={texts} of={bookingDate} />
        </a>
      ),
    },
    {
      label: t('common:field.amount'),
      isNumber: true,
      cell: ({ amountMillimes }) => <Money texts={texts} of={amountMillimes} />,
    },
    {
      label: t('common:field.state'),
      cell: ({ outcome }) => <State texts={texts} list="creditOutcome" code={outcome} tone={TONES[outcome]} />,
    },
    { label: t('credits:why'), cell: (credit) => <Why texts={texts} credit={credit} /> },
    {
      label: t('credits:bankText'),
      cell: ({ counterparty, remittance }) => <Said>{remittance === '' ? counterparty : remittance}</Said>,
    },
  ];
  const done = list.hasMore ? 'credits:list.noneHere' : 'credits:list.allExplained';
  const empty = isFiltered ? t('common:state.nothingFits') : t(shown === 'open' ? done : 'credits:list.none');
  return <Table caption={t('credits:list.caption')} rows={list.data} columns={columns} empty={empty} />;
}

/** What explains a credit, or the break that it is in. */
function Why({ texts, credit: { match, breakId, breakClass } }: { texts: Texts; credit: Credit }): VNode | null {
  if (match !== null) return <>{texts.word('evidence', match.evidence)}</>;
  if (breakId === null || breakClass === null) return null;
  return <a href={to('/breaks', breakId)}>{texts.word('breakClass', breakClass)}</a>;
}
