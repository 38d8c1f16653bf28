import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Action, Shown, Visit } from '../../page/page';
import { requiredText } from '../../page/required-text';
import { ActionForm, Field } from '../../parts/forms';
import { faultOf } from '../../parts/problem-box';
import { Panel } from '../../parts/table';
import { Fact, Facts, Id, Sentence, State } from '../../parts/values';
import { to } from '../../web/own-path';

type Diagnosis = Json<'diagnoseWebhook'>;

const PATH = '/webhooks';
const VERDICT_TONES = { authentic: 'good', stale: 'warn', rejected: 'bad' } as const;

/** Explains why a pasted request is refused. It stores nothing. */
export const DIAGNOSE_ACTION: Action = {
  async run(visit): Promise<Shown> {
    const { texts, call } = visit;
    requiredText(visit, 'request');
    // A browser writes lines of a text with CR LF; what was signed has LF.
    const request = visit.form.value('request').replaceAll('\r\n', '\n');
    const found = await call('diagnoseWebhook', { body: { request } });
    const body = (
      <>
        <Verdict visit={visit} found={found} />
        <DiagnosePanel visit={visit} isOpen />
        <p>
          <a href={to(PATH)}>{texts.t('common:backTo', { page: texts.t('common:menu.webhooks') })}</a>
        </p>
      </>
    );
    return { title: texts.t('administration:diagnosis.title'), body, isWide: true };
  },
};

function Verdict({ visit: { texts }, found }: { visit: Visit; found: Diagnosis }): VNode {
  const { t, word } = texts;
  return (
    <Panel title={t('administration:diagnosis.result')}>
      <p class="line">
        <State texts={texts} list="diagnosisVerdict" code={found.verdict} tone={VERDICT_TONES[found.verdict]} />
        <strong>{word('webhookCause', found.cause)}</strong>
      </p>
      <p>
        <Sentence texts={texts}>{found.explanation}</Sentence>
      </p>
      <Facts>
        {Object.entries(found.details).map(([name, value]) => (
          <Fact name={word('diagnosisDetail', name)}>
            {typeof value === 'string' ? <Sentence texts={texts}>{value}</Sentence> : <Id>{value}</Id>}
          </Fact>
        ))}
      </Facts>
    </Panel>
  );
}

/** The form in which a request is pasted. */
export function DiagnosePanel({ visit, isOpen = false }: { visit: Visit; isOpen?: boolean }): VNode {
  const { texts, form, problem } = visit;
  const { t } = texts;
  return (
    <details class="panel" open={isOpen || problem !== undefined}>
      <summary>{t('administration:diagnosis.title')}</summary>
      <p>{t('administration:diagnosis.what')}</p>
      <ActionForm visit={visit} action="diagnose" path={to(PATH)}>
        <Field
          name="request"
          label={t('administration:diagnosis.request')}
          hint={t('administration:diagnosis.hint')}
          value={form.value('request')}
          fault={faultOf(problem, 'request')}
          rows={10}
          isRequired
          isPlain
        />
        <p class="actions">
          <button class="main">{t('administration:diagnosis.submit')}</button>
        </p>
      </ActionForm>
    </details>
  );
}
