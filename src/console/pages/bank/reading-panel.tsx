import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Visit } from '../../page/page';
import { Choice, Field } from '../../parts/forms';
import { Panel } from '../../parts/table';
import { Id, Sentence } from '../../parts/values';
import { to } from '../../web/own-path';
import {
  BY_AUTO,
  BY_HAND,
  BY_PROPOSAL,
  type Check,
  DATE_FORMATS,
  mayAskColumns,
  meaningAt,
  MEANINGS,
  type OpenChoice,
  openChoiceOf,
  type Sample,
  setAsideIn,
  SIDES,
  UNITS,
} from './reading';

interface ReadingPanelProps {
  readonly visit: Visit;
  readonly query: Visit['query'];
  readonly sample: Sample | undefined;
  readonly check: Check | undefined;
  readonly profiles: Json<'listStatementProfiles'>['profiles'];
}

/** How the file is read. Its fields are in the address, so that what was said stays. */
export function ReadingPanel({ visit, query, sample, check, profiles }: ReadingPanelProps): VNode {
  const { texts, params } = visit;
  const { t } = texts;
  const by = query['by'] ?? BY_AUTO;
  const isByHand = by === BY_HAND && sample !== undefined;
  const open = (check?.refusals ?? []).flatMap((refusal) => openChoiceOf(texts, refusal) ?? []);
  return (
    <Panel title={t('bank:reading.title')}>
      <p class="hint">{t('bank:reading.profileWhat')}</p>
      <form method="get" action={to('/bank/uploads', params['uploadId'] ?? '')}>
        <div class="fields">
          <Choice
            name="by"
            label={t('bank:reading.by')}
            value={by}
            options={[
              [BY_AUTO, t('bank:reading.auto')],
              ...(sample === undefined
                ? []
                : ([
                    [BY_PROPOSAL, t('bank:reading.proposed')],
                    [BY_HAND, t('bank:reading.byHand')],
                  ] as const)),
              ...profiles.map(({ name }): [string, string] => [name, t('bank:reading.profile', { name })]),
            ]}
          />
          <Field
            name="account"
            label={t('bank:reading.account')}
            value={query['account'] ?? ''}
            isPlain
            maxLength={60}
          />
          <Field
            name="currency"
            label={t('bank:reading.currency')}
            value={query['currency'] ?? ''}
            isPlain
            maxLength={3}
          />
          {sample === undefined ? null : <FormFields {...{ visit, query, isByHand, open }} />}
        </div>
        {sample === undefined ? null : <SampleTable {...{ visit, query, sample, isByHand, open }} />}
        <p class="actions">
          <button>{t('bank:reading.submit')}</button>
        </p>
      </form>
      {check === undefined ? null : <Findings visit={visit} check={check} />}
    </Panel>
  );
}

interface FormFieldsProps {
  readonly visit: Visit;
  readonly query: Visit['query'];
  readonly isByHand: boolean;
  readonly open: readonly OpenChoice[];
}

function FormFields({ visit, query, isByHand, open }: FormFieldsProps): VNode {
  const { t } = visit.texts;
  const box = (name: 'opening' | 'closing'): VNode => (
    <label>
      <input type="checkbox" name={name} value="true" checked={query[name] === 'true'} /> {t(`bank:reading.${name}`)}
    </label>
  );
  const choice = (
    name: 'dateFormat' | 'decimalSign' | 'unit' | 'unmarked',
    options: readonly (readonly [string, string])[],
  ): VNode => (
    <Choice
      name={name}
      label={t(`bank:reading.${name}`)}
      value={query[name] ?? ''}
      options={[...(isByHand ? [] : [['', t('bank:reading.asFile')] as const]), ...options]}
      fault={open.find(({ field }) => field === name)?.why}
    />
  );
  return (
    <>
      {choice(
        'dateFormat',
        DATE_FORMATS.map((each) => [each, each]),
      )}
      {choice('decimalSign', [
        [',', t('bank:reading.comma')],
        ['.', t('bank:reading.point')],
      ])}
      {choice(
        'unit',
        UNITS.map((each) => [each, visit.texts.word('amountUnit', each)]),
      )}
      {choice(
        'unmarked',
        SIDES.map((each) => [each, t(`bank:reading.${each}`)]),
      )}
      {isByHand ? (
        <>
          <Choice
            name="order"
            label={t('bank:reading.order')}
            value={query['order'] ?? ''}
            options={[
              ['oldest-first', t('bank:reading.oldestFirst')],
              ['newest-first', t('bank:reading.newestFirst')],
            ]}
          />
          <p class="boxes">
            {box('opening')}
            {box('closing')}
          </p>
        </>
      ) : null}
    </>
  );
}

interface SampleTableProps extends FormFieldsProps {
  readonly sample: Sample;
}

/** The head of the file. By hand, each column has a choice of what it means; with a proposal, a box to set it aside. */
function SampleTable({ visit, query, sample, isByHand, open }: SampleTableProps): VNode {
  const { t } = visit.texts;
  const caption = t('bank:reading.head', { line: sample.line });
  const faults = open.filter(({ field }) => field === 'setAside');
  return (
    <div class="table" role="region" aria-label={caption} tabIndex={0}>
      <table class="as-is">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              {t('bank:reading.line')}
            </th>
            {sample.columns.map((name) => (
              <th scope="col">
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
          {isByHand ? (
            <tr>
              <th scope="row">{t('bank:reading.means')}</th>
              {sample.columns.map((name, index) => (
                <td>{name === '' ? null : <MeaningChoice {...{ visit, query, name, index }} />}</td>
              ))}
            </tr>
          ) : null}
          {mayAskColumns(query['by'] ?? BY_AUTO) ? (
            <tr id="field-setAside">
              <th scope="row">
                {t('bank:reading.notRead')}
                {faults.map(({ why }) => (
                  <p class="fault">{why}</p>
                ))}
              </th>
              {sample.columns.map((name, index) => (
                <td>{name === '' ? null : <SetAsideBox {...{ visit, query, name, index }} />}</td>
              ))}
            </tr>
          ) : null}
        </thead>
        <tbody>
          {sample.rows.map(({ line, cells }) => (
            <tr>
              <th scope="row" class="number">
                {visit.texts.count(line)}
              </th>
              {sample.columns.map((_name, index) => (
                <td>
                  <bdi>{cells[index]}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ColumnProps {
  readonly visit: Visit;
  readonly query: Visit['query'];
  readonly name: string;
  readonly index: number;
}

function SetAsideBox({ visit, query, name, index }: ColumnProps): VNode {
  const label = visit.texts.t('bank:reading.setAside', { column: name });
  return (
    <input
      type="checkbox"
      name={`s${index}`}
      value={name}
      checked={setAsideIn(query).includes(name)}
      aria-label={label}
    />
  );
}

function MeaningChoice({ visit: { texts }, query, name, index }: ColumnProps): VNode {
  const { t } = texts;
  const chosen = meaningAt(query, index);
  return (
    <select name={`c${index}`} aria-label={t('bank:reading.meaningOf', { column: name })} class="meaning">
      <option value="">{t('bank:meaning.none')}</option>
      {MEANINGS.map((each) => (
        <option value={each} selected={each === chosen}>
          {t(`bank:meaning.${each}`)}
        </option>
      ))}
    </select>
  );
}

/** What Millime found out about the file. */
function Findings({ visit: { texts }, check }: { visit: Visit; check: Check }): VNode {
  const { t } = texts;
  const { format, profile, proposal } = check;
  const isOfFile = profile === null || profile === '' || profile === 'proposed';
  return (
    <>
      {format === null ? null : (
        <p>
          {t('bank:reading.readAs', { format: texts.word('statementFormat', format) })}{' '}
          {isOfFile ? null : (
            <>
              {t('bank:reading.withProfile')} <Id>{profile}</Id>
            </>
          )}
        </p>
      )}
      {proposal === null || proposal.reasons.length === 0 ? null : (
        <details>
          <summary>{t('bank:reading.reasons')}</summary>
          <ul class="bullets">
            {proposal.reasons.map((reason) => (
              <li>
                <Sentence texts={texts}>{reason}</Sentence>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
