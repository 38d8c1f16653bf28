import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Texts } from '../../../texts';
import type { Page, Visit } from '../../page/page';
import { ProblemBox } from '../../parts/problem-box';
import { Fact, Facts, Id, Moment, None, Said, Writer, writerText } from '../../parts/values';
import { to } from '../../web/own-path';
import { DecisionPanel, EffectPanel, type Reread, VerifyPanel } from './statement-decision';
import { LinesPanel } from './statement-lines';
import { StatementProof } from './statement-proof';
import { StatementState } from './statement-state';

type Statement = Json<'showStatement'>;

/** The profile of a file that was read by the proposal of its header. */
const PROPOSED = 'proposed';

/** A statement: its proof, its lines, its file, and the decision on one that waits. */
export const STATEMENT_PAGE: Page = {
  path: '/bank/statements/:statementId',
  scope: 'statements:read',
  show: (visit) => shown(visit, {}),
  actions: {
    preview: {
      scope: 'statements:accept',
      async run(visit) {
        const isAccept = visit.form.value('decision') === 'accept';
        const asked = { params: idOf(visit), body: { reason: visit.form.value('reason') }, dryRun: true };
        if (isAccept) return shown(visit, { effect: await visit.call('acceptStatement', asked) });
        return shown(visit, { effect: await visit.call('excludeStatement', asked) });
      },
    },
    accept: { scope: 'statements:accept', run: (visit) => decide(visit, 'acceptStatement', 'bank:said.accepted') },
    exclude: { scope: 'statements:accept', run: (visit) => decide(visit, 'excludeStatement', 'bank:said.excluded') },
    verify: {
      run: async (visit) => shown(visit, { reread: await visit.call('verifyStatement', { params: idOf(visit) }) }),
    },
  },
};

const idOf = ({ params }: Visit): { statementId: string } => ({ statementId: params['statementId'] ?? '' });

async function decide(
  visit: Visit,
  id: 'acceptStatement' | 'excludeStatement',
  said: 'bank:said.accepted' | 'bank:said.excluded',
) {
  const params = idOf(visit);
  const { form } = visit;
  await visit.call(id, { params, body: { reason: form.value('reason') }, idempotencyKey: form.value('once') });
  return { to: to('/bank/statements', params.statementId), said } as const;
}

interface Extra {
  readonly effect?: Json<'acceptStatement'> | Json<'excludeStatement'>;
  readonly reread?: Reread;
}

async function shown(visit: Visit, { effect, reread }: Extra) {
  const params = idOf(visit);
  const statement = await visit.call('showStatement', { params });
  const lines = await visit.call('listStatementLines', { params, query: { cursor: visit.query['cursor'] } });
  const { texts } = visit;
  const days = [statement.from ?? statement.firstDate, statement.through ?? statement.lastDate];
  const title = texts.t('bank:statement.title', {
    days: days.map((day) => (day === null ? '–' : texts.date(day))).join(' – '),
  });
  const mayDecide = visit.can('statements:accept') && statement.waiting;
  return {
    title,
    isWide: true,
    body: (
      <>
        <ProblemBox texts={texts} problem={visit.problem} />
        <p class="cut-off">
          <a href={to('/bank')}>{texts.t('common:backTo', { page: texts.t('bank:title') })}</a>
        </p>
        <StatementFacts visit={visit} statement={statement} />
        <StatementProof texts={texts} statement={statement} />
        {effect === undefined ? null : <EffectPanel visit={visit} effect={effect} />}
        {mayDecide && effect === undefined ? <DecisionPanel visit={visit} /> : null}
        {statement.waiting && !visit.can('statements:accept') ? (
          <p class="note">{texts.t('bank:decision.byOther')}</p>
        ) : null}
        <LinesPanel visit={visit} statement={statement} lines={lines} />
        <VerifyPanel visit={visit} reread={reread} />
      </>
    ),
  };
}

function StatementFacts({ visit: { texts }, statement }: { visit: Visit; statement: Statement }): VNode {
  const { t } = texts;
  const { account, number, file, kind, accepted, excluded, id } = statement;
  const decision = accepted ?? excluded;
  return (
    <section class="panel">
      <p class="line">
        <StatementState texts={texts} of={statement} />
        <span>{texts.word('statementKind', kind)}</span>
        <Id>{account}</Id>
      </p>
      {decision === null ? null : (
        <p>
          {t('bank:decision.made', { who: writerText(texts, decision.by), when: texts.instant(decision.at) })}{' '}
          <Said>{decision.reason}</Said>
        </p>
      )}
      <Facts>
        <Fact name={t('bank:statement.number')}>{number === '' ? <None /> : <Id>{number}</Id>}</Fact>
        <Fact name={t('common:field.file')}>
          <bdi>{file.name}</bdi>{' '}
          <a href={`${to('/bank/statements', id)}/file`} download>
            {t('common:action.download')}
          </a>
        </Fact>
        <Fact name={t('bank:statement.imported')}>
          <Moment texts={texts} of={file.importedAt} /> <Writer texts={texts} of={file.importedBy} />
        </Fact>
        <Fact name={t('bank:statement.read')}>
          <ReadAs texts={texts} file={file} />
        </Fact>
        {statement.pendingEntries === 0 ? null : (
          <Fact name={t('bank:statement.announced')}>{texts.count(statement.pendingEntries)}</Fact>
        )}
        <Fact name={t('bank:statement.known')}>{texts.count(statement.knownEntries)}</Fact>
      </Facts>
      {statement.notes.length === 0 ? null : (
        <ul>
          {statement.notes.map((note) => (
            <li>
              <Said>{note}</Said>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The format of a file, and how its columns were known. */
function ReadAs({ texts, file: { format, profile } }: { texts: Texts; file: Statement['file'] }): VNode {
  const { t } = texts;
  const name = texts.word('statementFormat', format);
  if (profile === '') return <>{name}</>;
  if (profile === PROPOSED) return <>{`${name}, ${t('bank:statement.byHeader')}`}</>;
  return (
    <>
      {name}, {t('bank:reading.withProfile')} <Id>{profile}</Id>
    </>
  );
}
