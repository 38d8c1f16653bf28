import type { VNode } from 'preact';
import type { Texts } from '../../../texts';
import type { Visit } from '../../page/page';
import { Decimal } from '../../parts/decimal';
import { ActionForm, Field } from '../../parts/forms';
import { faultOf } from '../../parts/problem-box';
import { Panel, Table } from '../../parts/table';
import { Day, Id, Said, Sentence, Sign, State } from '../../parts/values';
import { Working } from '../../parts/working';
import { to, withQuery } from '../../web/own-path';
import { BY_HAND, BY_PROPOSAL, type Check, openChoiceOf } from './reading';
import { StatementProof } from './statement-proof';

interface ControlProps {
  readonly visit: Visit;
  readonly check: Check;
  readonly query: Visit['query'];
  /** Whether the file has columns that a person can describe. */
  readonly hasColumns: boolean;
}

/** What an import of the file would do: proof, place among the statements of the account, known lines, refusals. */
export function ControlPanel({ visit, check, query, hasColumns }: ControlProps): VNode {
  const { texts } = visit;
  const { t } = texts;
  const { outcome } = check;
  const tone = outcome === 'imported' ? 'good' : outcome === 'refused' ? 'bad' : 'plain';
  return (
    <Panel title={t('bank:control.title')}>
      <p>
        {outcome === 'imported' ? (
          <Sign tone="good">{t('bank:control.ready')}</Sign>
        ) : (
          <State texts={texts} list="importOutcome" code={outcome} tone={tone} />
        )}
      </p>
      <Refusals {...{ visit, check, query, hasColumns }} />
      {check.statements.map((statement) => (
        <StatementToImport texts={texts} statement={statement} />
      ))}
      {check.statements.length === 0 ? null : <Comparison texts={texts} check={check} />}
      <Remarks texts={texts} check={check} />
    </Panel>
  );
}

function Refusals({ visit: { texts, params }, check, query, hasColumns }: ControlProps): VNode | null {
  if (check.refusals.length === 0) return null;
  const own = to('/bank/uploads', params['uploadId'] ?? '');
  const needsChoice = check.refusals.some(({ code }) => code === 'profile_unconfirmed');
  return (
    <>
      <ul class="problem">
        {check.refusals.map((refusal) => {
          const { code, detail } = refusal;
          const asked = (refusal['params'] ?? {}) as Readonly<Record<string, unknown>>;
          const text = texts.problemDetail({ code, params: asked }) ?? detail;
          const open = openChoiceOf(texts, refusal);
          return (
            <li>
              <strong>{texts.problemTitle(code) ?? code}</strong> <bdi>{text}</bdi>
              {open === undefined ? null : (
                <p>
                  <a href={`#field-${open.field}`}>
                    <bdi>{open.why}</bdi>
                  </a>
                </p>
              )}
              <Places refusal={refusal} />
            </li>
          );
        })}
      </ul>
      {hasColumns && query['by'] !== BY_HAND ? (
        <p class="actions">
          {needsChoice ? (
            <a class="button" href={withQuery(own, { ...query, by: BY_PROPOSAL })}>
              {texts.t('bank:reading.useProposed')}
            </a>
          ) : null}
          <a href={withQuery(own, { ...query, by: BY_HAND })}>{texts.t('bank:reading.useHand')}</a>
        </p>
      ) : null}
    </>
  );
}

/** Where in the file the faults are; a single fault that is the refusal itself is not said twice. */
function Places({ refusal }: { refusal: Check['refusals'][number] }): VNode | null {
  const errors = (refusal['errors'] ?? []) as readonly { detail: string }[];
  const places = errors.filter(({ detail }) => detail !== refusal.detail);
  if (places.length === 0) return null;
  return (
    <ul>
      {places.map(({ detail }) => (
        <li>
          <bdi>{detail}</bdi>
        </li>
      ))}
    </ul>
  );
}

function StatementToImport({ texts, statement }: { texts: Texts; statement: Check['statements'][number] }): VNode {
  const { t } = texts;
  const { account, currency, entries, pendingEntries, lines, missing } = statement;
  return (
    <section class="stack">
      <h3>
        {account === null ? t('bank:control.noAccount') : <Id>{account}</Id>}{' '}
        <small>{t('common:count.lines', { count: entries })}</small>
      </h3>
      <StatementProof texts={texts} statement={statement} />
      {pendingEntries === 0 ? null : (
        <p>
          {t('bank:statement.announced')} {texts.count(pendingEntries)}
        </p>
      )}
      {missing.length === 0 ? null : (
        <p>
          <Sign tone="warn">
            {t('bank:control.missing', {
              balances: texts.list(missing.map((each) => texts.word('missingBalance', each))),
            })}
          </Sign>
        </p>
      )}
      <Table
        caption={t('bank:control.firstLines')}
        isCaptionShown
        rows={lines}
        empty={t('bank:statement.noLines')}
        columns={[
          { label: t('bank:reading.line'), isNumber: true, cell: ({ fileLine }) => texts.count(fileLine) },
          { label: t('bank:line.booked'), cell: ({ bookingDate }) => <Day texts={texts} of={bookingDate} /> },
          {
            label: t('bank:line.text'),
            cell: ({ counterparty, remittance }) => (
              <Said>{[counterparty, remittance].filter((text) => text !== '').join(' · ')}</Said>
            ),
          },
          {
            label: t('common:field.amount'),
            isNumber: true,
            cell: ({ amount }) => <Decimal texts={texts} of={amount} currency={currency} />,
          },
        ]}
      />
    </section>
  );
}

function Comparison({ texts, check }: { texts: Texts; check: Check }): VNode {
  const { t } = texts;
  const { chain, duplicates, sharesDays, payouts } = check;
  return (
    <ul class="checks">
      {chain.map((place) => (
        <ChainLine texts={texts} place={place} />
      ))}
      {duplicates.map(({ statementId }) => (
        <li>
          <Sign tone="plain">{t('bank:control.duplicate')}</Sign>{' '}
          <a href={to('/bank/statements', statementId)}>{t('common:action.show')}</a>
        </li>
      ))}
      {chain.length === 0 ? null : (
        <li>
          <Sign tone={sharesDays ? 'warn' : 'good'}>
            {t(sharesDays ? 'bank:control.sharesDays' : 'bank:control.noLineKnown')}
          </Sign>
        </li>
      )}
      {payouts === null ? null : (
        <li>
          <Sign tone="plain">
            {t('bank:control.payouts', { recognized: payouts.recognized, credits: payouts.credits })}
          </Sign>
        </li>
      )}
    </ul>
  );
}

function ChainLine({ texts, place }: { texts: Texts; place: Check['chain'][number] }): VNode {
  const { t } = texts;
  const { previous, follows, differences } = place;
  if (differences.length > 0) {
    return (
      <>
        {differences.map(({ kind, since, amount }) => (
          <li>
            <Sign tone="bad">
              {t(kind === 'gap' ? 'bank:control.gap' : 'bank:control.jump', { date: texts.date(since) })}
            </Sign>{' '}
            <Decimal texts={texts} of={amount} currency="TND" />
          </li>
        ))}
      </>
    );
  }
  if (follows === null || previous === null) {
    return (
      <li>
        <Sign tone={follows === null ? 'warn' : 'plain'}>
          {t(
            follows !== null
              ? 'bank:control.first'
              : previous === null
                ? 'bank:control.notCompared'
                : 'bank:control.among',
          )}
        </Sign>
      </li>
    );
  }
  return (
    <li>
      <Sign tone="good">
        {t('bank:control.follows', { date: previous.through === null ? '–' : texts.date(previous.through) })}
      </Sign>{' '}
      <a href={to('/bank/statements', previous.statementId)}>
        <Decimal texts={texts} of={previous.closing} currency="TND" />
      </a>
    </li>
  );
}

function Remarks({ texts, check }: { texts: Texts; check: Check }): VNode | null {
  const { warnings, remarks, faults, verdict } = check;
  // The proof above says which balances are missing.
  const all = [...(verdict === 'unbalanced' ? faults : []), ...warnings, ...remarks];
  if (all.length === 0) return null;
  return (
    <ul class="checks">
      {all.map((text) => (
        <li>
          <Sign tone="warn">
            <Sentence texts={texts}>{text}</Sentence>
          </Sign>
        </li>
      ))}
    </ul>
  );
}

/** The last button: only here a file becomes statements. */
export function ImportPanel({ visit, check }: { visit: Visit; check: Check | undefined }): VNode {
  const { texts, form, problem } = visit;
  const { t } = texts;
  const isReady = check !== undefined && check.outcome === 'imported';
  const maySave = isReady && check.savesProfiles && check.proposal !== null;
  return (
    <Panel title={t('bank:import.last')}>
      {isReady ? (
        <ActionForm visit={visit} action="import">
          {maySave ? (
            <Field
              name="saveProfile"
              label={t('bank:import.saveAs')}
              hint={t('bank:import.saveHint')}
              value={form.value('saveProfile')}
              maxLength={64}
              fault={faultOf(problem, 'saveProfile')}
              isPlain
            />
          ) : null}
          <p>{t(check.verdict === 'ok' ? 'bank:import.effect' : 'bank:import.effectWaiting')}</p>
          <Working texts={texts} />
          <p class="actions">
            <button class="main">{t('common:action.import')}</button>
          </p>
        </ActionForm>
      ) : (
        <p>{t(check?.outcome === 'already_imported' ? 'bank:import.known' : 'bank:import.notReady')}</p>
      )}
      <ActionForm visit={visit} action="remove">
        <p class="actions">
          <button>{t('common:action.discard')}</button>
        </p>
      </ActionForm>
    </Panel>
  );
}
