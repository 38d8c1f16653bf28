import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { isAppError } from '../../../kernel';
import { inWords } from '../../page/in-words';
import type { Page, Shown, Visit } from '../../page/page';
import { type Problem, problemOf } from '../../page/problem';
import { ProblemBox } from '../../parts/problem-box';
import { Fact, Facts, Id } from '../../parts/values';
import { to } from '../../web/own-path';
import {
  BY_HAND,
  BY_PROPOSAL,
  type CheckAnswer,
  fieldsOfProposal,
  isDescribed,
  readingOf,
  type Sample,
} from './reading';
import { ReadingPanel } from './reading-panel';
import { Steps } from './steps';
import { ControlPanel, ImportPanel } from './upload-control';

/** The second and third step of an import: how the file is read, and what an import of it would do. */
export const UPLOAD_PAGE: Page = {
  path: '/bank/uploads/:uploadId',
  scope: 'statements:write',
  show: shown,
  actions: {
    import: {
      async run(visit) {
        const { form, call } = visit;
        const params = idOf(visit);
        const { sample, isGone } = await uploadedSample(visit);
        // A first press imported it, or its time is over: the list tells which.
        if (isGone) return { to: to('/bank') };
        const name = form.value('saveProfile').trim();
        const query = await readingQueryOf(visit, sample);
        const body = { ...readingOf(query, sample), saveProfile: name === '' ? undefined : name };
        const done = await call('importBankUpload', { params, body, idempotencyKey: form.value('once') });
        await removeImported(visit);
        const said = done.outcome === 'imported' ? 'bank:said.imported' : 'bank:said.alreadyImported';
        const [only] = done.statements;
        const isOne = done.statements.length === 1 && only !== undefined;
        return { to: isOne ? to('/bank/statements', only.id) : to('/bank'), said };
      },
    },
    remove: {
      async run(visit) {
        await visit.call('removeBankUpload', { params: idOf(visit) });
        return { to: to('/bank/import'), said: 'bank:said.removed' };
      },
    },
  },
};

/** The statements keep the bytes, and a person may have 20 files at a time. */
async function removeImported(visit: Visit): Promise<void> {
  try {
    await visit.call('removeBankUpload', { params: idOf(visit) });
  } catch (error) {
    if (!isAppError(error, 'not_found')) throw error;
  }
}

async function uploadedSample(
  visit: Visit,
): Promise<{ readonly sample?: Sample | undefined; readonly isGone: boolean }> {
  try {
    return { ...(await sampleOf(visit)), isGone: false };
  } catch (error) {
    if (isAppError(error, 'not_found')) return { isGone: true };
    throw error;
  }
}

const idOf = ({ params }: Visit): { uploadId: string } => ({ uploadId: params['uploadId'] ?? '' });

interface Sampled {
  readonly upload: Json<'sampleBankUpload'>['upload'] | undefined;
  readonly sample: Sample | undefined;
}

/** Returns the first rows of a file; none of a file that cannot be read. */
async function sampleOf(visit: Visit): Promise<Sampled> {
  try {
    const { upload, sample } = await visit.call('sampleBankUpload', { params: idOf(visit) });
    return { upload, sample: sample ?? undefined };
  } catch (error) {
    const problem = problemOf(error);
    // The check says why a file cannot be read.
    if (problem === undefined || problem.status >= 500 || problem.code === 'not_found') throw error;
    return { upload: undefined, sample: undefined };
  }
}

/** `undescribed`: by hand, and not said yet what the columns mean. */
type Checked = { readonly answer: CheckAnswer } | { readonly problem: Problem } | 'undescribed';

const isAnswered = (checked: Checked): checked is { readonly answer: CheckAnswer } =>
  checked !== 'undescribed' && 'answer' in checked;

async function checkOf(visit: Visit, query: Visit['query'], sample: Sample | undefined): Promise<Checked> {
  if (query['by'] === BY_HAND && sample !== undefined && !isDescribed(query, sample)) return 'undescribed';
  try {
    const body = readingOf(query, sample);
    return { answer: await visit.call('checkBankReading', { params: idOf(visit), body }) };
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined || problem.status >= 500 || problem.code === 'not_found') throw error;
    return { problem: inWords(visit.texts, problem) };
  }
}

/**
 * Returns how the file is read, which the page shows and the import repeats. By hand, what the address does not say yet
 * is as the proposal has it, so that a person only corrects it.
 */
async function readingQueryOf(visit: Visit, sample: Sample | undefined): Promise<Visit['query']> {
  const { query } = visit;
  const isSaid = Object.keys(query).some((name) => /^c\d+$/.test(name));
  if (query['by'] !== BY_HAND || sample === undefined || isSaid) return query;
  const proposed = await checkOf(visit, { ...query, by: BY_PROPOSAL }, sample);
  const check = isAnswered(proposed) ? proposed.answer.check : undefined;
  const typed = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  return { account: onlyAccountOf(check), ...typed, ...fieldsOfProposal(check?.proposal?.profile, sample) };
}

async function shown(visit: Visit): Promise<Shown> {
  const { texts } = visit;
  const { sample } = await sampleOf(visit);
  const query = await readingQueryOf(visit, sample);
  const checked = await checkOf(visit, query, sample);
  const { profiles } = await visit.call('listStatementProfiles');
  const title = texts.t('bank:import.title');
  return { title, isWide: true, body: <UploadView {...{ visit, query, sample, checked, profiles }} /> };
}

/** Returns the account of the statements of a file; nothing if they are of several, or name none. */
function onlyAccountOf(check: CheckAnswer['check'] | undefined): string {
  const accounts = new Set(check?.statements.map(({ account }) => account));
  const [account] = accounts;
  return accounts.size === 1 ? (account ?? '') : '';
}

/** What holds for every amount of the file, first, because a mistake in it misplaces all the money. */
function WholeFileFacts({ texts, check }: { texts: Visit['texts']; check: CheckAnswer['check'] }): VNode | null {
  const { t } = texts;
  const accounts = [...new Set(check.statements.map(({ account }) => account))];
  const currencies = [...new Set(check.statements.map(({ currency }) => currency))];
  if (accounts.length === 0) return null;
  const { unit, setAside } = check;
  return (
    <Facts>
      <Fact name={t('common:field.account')}>
        {accounts.map((account) => (account === null ? t('bank:control.noAccount') : <Id>{account}</Id>))}
      </Fact>
      <Fact name={t('bank:control.currency')}>
        {texts.list(currencies.map((currency) => currency ?? t('bank:control.noCurrency')))}
      </Fact>
      {unit === null || !currencies.some((currency) => currency === null || currency === 'TND') ? null : (
        <Fact name={t('bank:reading.unit')}>{texts.word('amountUnit', unit)}</Fact>
      )}
      {setAside.length === 0 ? null : (
        <Fact name={t('bank:control.setAside')}>
          <bdi>{texts.list(setAside)}</bdi>
        </Fact>
      )}
    </Facts>
  );
}

interface UploadViewProps {
  readonly visit: Visit;
  readonly query: Visit['query'];
  readonly sample: Sample | undefined;
  readonly checked: Checked;
  readonly profiles: Json<'listStatementProfiles'>['profiles'];
}

function UploadView({ visit, query, sample, checked, profiles }: UploadViewProps): VNode {
  const { texts } = visit;
  const answer = isAnswered(checked) ? checked.answer : undefined;
  const refused = checked !== 'undescribed' && 'problem' in checked ? checked.problem : undefined;
  return (
    <>
      <ProblemBox texts={texts} problem={visit.problem ?? refused} />
      <Steps texts={texts} current={answer === undefined ? 'reading' : 'control'} />
      {answer === undefined ? null : (
        <p class="cut-off">
          <bdi>{answer.upload.fileName}</bdi>{' '}
          {texts.t('bank:upload.facts', {
            size: texts.count(answer.upload.sizeBytes),
            until: texts.instant(answer.upload.expiresAt),
          })}{' '}
          <Id>{`${answer.upload.sha256.slice(0, 12)}…`}</Id>
        </p>
      )}
      {answer === undefined ? null : <WholeFileFacts texts={texts} check={answer.check} />}
      <ReadingPanel {...{ visit, query, sample, profiles }} check={answer?.check} />
      {checked === 'undescribed' ? <p class="note">{texts.t('bank:reading.describe')}</p> : null}
      {answer === undefined ? null : (
        <ControlPanel visit={visit} check={answer.check} query={query} hasColumns={sample !== undefined} />
      )}
      <ImportPanel visit={visit} check={answer?.check} />
    </>
  );
}
