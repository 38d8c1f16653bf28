import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Done, Shown, Visit } from '../../page/page';
import { ownProblem } from '../../page/problem';
import { ActionForm } from '../../parts/forms';
import { type Column, Panel, Table } from '../../parts/table';
import { Id, Money, Sign } from '../../parts/values';
import { to } from '../../web/own-path';
import { type Break, breakFilter, breaksOfFilter } from './break-query';
import { Size } from './break-words';
import { MANY_STEPS, type ManyStep } from './many-steps';

type Results = Json<'stepOnBreaks'>;
type Result = Results['results'][number];

interface Chosen {
  readonly id: string;
  readonly version: number;
  /** Undefined for a break that left the list since the page was shown. */
  readonly known: Break | undefined;
}

/** A break with its result. */
interface Row {
  readonly chosen: Chosen;
  readonly result: Result | undefined;
}

/** Shows what a step would do with each chosen break, by a trial of the step itself. */
export async function previewSteps(visit: Visit): Promise<Shown> {
  const { t } = visit.texts;
  const chosen = await chosenBreaks(visit);
  const title = t('breaks:many.preview');
  if (chosen.length === 0) {
    const body = (
      <>
        <p class="problem" role="alert">
          {t('common:form.noneSelected')}
        </p>
        <Back visit={visit} />
      </>
    );
    return { title, body };
  }
  const results = await stepOn(visit, chosen, true);
  return { title, body: <Preview visit={visit} rows={rowsOf(chosen, results)} results={results} />, isWide: true };
}

/** Takes the step on each break, and shows each result unless all were done. */
export async function applySteps(visit: Visit): Promise<Done | Shown> {
  const chosen = await chosenBreaks(visit);
  const results = await stepOn(visit, chosen, false);
  if (results.refused === 0) return { to: visit.here, said: 'breaks:said.allDone' };
  const { t } = visit.texts;
  const body = (
    <>
      <p class="note" role="status">
        {t('breaks:many.partly', { done: results.done, refused: results.refused })}
      </p>
      <ResultTable visit={visit} rows={rowsOf(chosen, results)} />
      <Back visit={visit} />
    </>
  );
  return { title: t('breaks:many.results'), body, isWide: true };
}

async function chosenBreaks(visit: Visit): Promise<readonly Chosen[]> {
  const { form, query } = visit;
  if (form.value('all') === 'yes') {
    return (await breaksOfFilter(visit)).map((known) => ({ id: known.id, version: known.version, known }));
  }
  const page = await visit.call('listBreaks', { query: { ...breakFilter(visit), cursor: query['cursor'] } });
  const byId = new Map(page.data.map((each) => [each.id, each]));
  return [...new Set(form.values('break'))].map((each) => {
    const [id = '', version = ''] = each.split(':');
    return { id, version: Number(version), known: byId.get(id) };
  });
}

function stepOn(visit: Visit, chosen: readonly Chosen[], isTrial: boolean): Promise<Results> {
  const { form } = visit;
  const body = { step: stepOf(visit), breaks: chosen.map(({ id, version }) => ({ id, version })) };
  return visit.call('stepOnBreaks', isTrial ? { body, dryRun: true } : { body, idempotencyKey: form.value('once') });
}

function kindOf({ form }: Visit): ManyStep {
  return MANY_STEPS.find((each) => each === form.value('kind')) ?? 'assign';
}

function stepOf(visit: Visit) {
  const kind = kindOf(visit);
  const text = visit.form.value('text').trim();
  switch (kind) {
    case 'assign':
      return { kind, assignee: visit.form.value('assignee').trim() } as const;
    case 'comment':
      return { kind, text } as const;
    case 'resolve':
      return { kind, reason: text } as const;
  }
}

function rowsOf(chosen: readonly Chosen[], { results }: Results): readonly Row[] {
  const byId = new Map(results.map((each) => [each.id, each]));
  return chosen.map((each) => ({ chosen: each, result: byId.get(each.id) }));
}

function Preview({ visit, rows, results }: { visit: Visit; rows: readonly Row[]; results: Results }): VNode {
  const { texts, form } = visit;
  const { t } = texts;
  const kind = kindOf(visit);
  const able = rows.filter(({ result }) => result?.outcome === 'done');
  const step = texts.word('action', kind);
  return (
    <>
      <p>{t('breaks:many.what', { step, what: form.value(kind === 'assign' ? 'assignee' : 'text') })}</p>
      <Sums visit={visit} rows={able} />
      <ResultTable visit={visit} rows={rows} isTrial />
      {able.length === 0 ? null : (
        <ActionForm visit={visit} action="apply" label={step}>
          <input type="hidden" name="kind" value={kind} />
          <input type="hidden" name="assignee" value={form.value('assignee')} />
          <input type="hidden" name="text" value={form.value('text')} />
          {able.map(({ chosen: { id, version } }) => (
            <input type="hidden" name="break" value={`${id}:${version}`} />
          ))}
          <p class="actions">
            <button class="main">{t('breaks:many.apply', { count: able.length, step })}</button>
            <a href={visit.here}>{t('common:action.discard')}</a>
          </p>
        </ActionForm>
      )}
      {results.refused === 0 && able.length > 0 ? null : <Back visit={visit} />}
    </>
  );
}

/** The sum of the breaks of each direction; directions are never added up. */
function Sums({ visit: { texts }, rows }: { visit: Visit; rows: readonly Row[] }): VNode {
  const sums = new Map<string, { count: number; size: bigint }>();
  for (const { chosen } of rows) {
    if (chosen.known === undefined) continue;
    const { direction, sizeMillimes } = chosen.known;
    const { count, size } = sums.get(direction) ?? { count: 0, size: 0n };
    sums.set(direction, { count: count + 1, size: size + BigInt(sizeMillimes ?? 0) });
  }
  return (
    <Panel title={texts.t('breaks:many.sums')}>
      <ul class="rows">
        {[...sums].map(([direction, { count, size }]) => (
          <li>
            <span>{texts.word('direction', direction)}</span>
            <span>
              {texts.t('common:count.breaks', { count })}
              {' · '}
              <Money texts={texts} of={size} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function ResultTable({ visit, rows, isTrial }: { visit: Visit; rows: readonly Row[]; isTrial?: boolean }): VNode {
  const { texts } = visit;
  const { t } = texts;
  const columns: readonly Column<Row>[] = [
    {
      label: t('breaks:field.class'),
      isHead: true,
      cell: ({ chosen: { id, known } }) => (
        <a href={to('/breaks', id)}>{known === undefined ? <Id>{id}</Id> : texts.word('breakClass', known.class)}</a>
      ),
    },
    {
      label: t('breaks:field.size'),
      isNumber: true,
      cell: ({ chosen: { known } }) => (known === undefined ? null : <Size texts={texts} of={known} />),
    },
    {
      label: t(isTrial === true ? 'breaks:many.would' : 'breaks:many.result'),
      cell: ({ result }) => <Outcome visit={visit} result={result} isTrial={isTrial} />,
    },
  ];
  return <Table caption={t('breaks:many.results')} rows={rows} columns={columns} empty={null} />;
}

interface OutcomeProps {
  readonly visit: Visit;
  readonly result: Result | undefined;
  readonly isTrial: boolean | undefined;
}

function Outcome({ visit: { texts }, result, isTrial }: OutcomeProps): VNode | null {
  if (result === undefined) return null;
  if (result.outcome !== 'refused') {
    const tone = result.outcome === 'done' ? 'good' : 'plain';
    const isPossible = isTrial === true && result.outcome === 'done';
    const word = isPossible ? texts.t('breaks:many.possible') : texts.word('stepOutcome', result.outcome);
    return <Sign tone={tone}>{word}</Sign>;
  }
  const {
    code,
    status,
    detail,
    params = {},
  } = result.problem as Results['results'][number] & {
    code: string;
    status: number;
    detail: string;
    params?: Readonly<Record<string, unknown>>;
  };
  const problem = { ...ownProblem(code, status, detail), params };
  return (
    <Sign tone="bad">
      {texts.word('stepOutcome', 'refused')}
      {' : '}
      {texts.problemDetail(problem) ?? texts.problemTitle(code) ?? detail}
    </Sign>
  );
}

function Back({ visit }: { visit: Visit }): VNode {
  return (
    <p>
      <a href={visit.here}>{visit.texts.t('common:backTo', { page: visit.texts.t('common:menu.breaks') })}</a>
    </p>
  );
}
