import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Scope } from '../../../identity';
import { sha256Hex } from '../../../kernel';
import type { TextKey } from '../../../texts';
import { OutcomeRefused } from '../../page/outcome-refused';
import type { Page, Shown, Visit } from '../../page/page';
import { ActionForm, Field } from '../../parts/forms';
import { faultOf, ProblemBox } from '../../parts/problem-box';
import { Panel } from '../../parts/table';
import { Money } from '../../parts/values';
import { to } from '../../web/own-path';
import { carriedFile, readCarriedFile } from './carried-file';

/** What differs between the imports. */
interface Kind {
  readonly path: '/imports/agents' | '/imports/dues' | '/imports/payments' | '/imports/subscriptions';
  readonly scope: Scope;
  readonly operation: 'importAgents' | 'importDues' | 'importPaymentPlan' | 'importSubscriptionPlan';
  readonly title: TextKey;
  /** The others are reached from the page of what they add. */
  readonly isInMenu: boolean;
  readonly columns: TextKey;
  /** Where the imported rows are, for people who may read them. */
  readonly result: { readonly path: string; readonly scope: Scope; readonly label: TextKey };
}

const AGENT_LIST = { path: to('/agents'), scope: 'agents:read', label: 'agents:import.toAgents' } as const;

const AGENTS: Kind = {
  path: '/imports/agents',
  scope: 'agents:write',
  operation: 'importAgents',
  title: 'common:menu.importAgents',
  isInMenu: true,
  columns: 'agents:import.agentColumns',
  result: AGENT_LIST,
};

const DUES: Kind = {
  path: '/imports/dues',
  scope: 'dues:write',
  operation: 'importDues',
  title: 'common:menu.importDues',
  isInMenu: true,
  columns: 'agents:import.dueColumns',
  result: AGENT_LIST,
};

const PAYMENTS: Kind = {
  path: '/imports/payments',
  scope: 'payments:write',
  operation: 'importPaymentPlan',
  title: 'common:menu.importPayments',
  isInMenu: false,
  columns: 'payments:plan.paymentColumns',
  result: { path: to('/payments'), scope: 'payments:read', label: 'payments:plan.toPayments' },
};

const SUBSCRIPTIONS: Kind = {
  path: '/imports/subscriptions',
  scope: 'payments:write',
  operation: 'importSubscriptionPlan',
  title: 'common:menu.importSubscriptions',
  isInMenu: false,
  columns: 'payments:plan.subscriptionColumns',
  result: { path: to('/subscriptions'), scope: 'payments:read', label: 'payments:plan.toSubscriptions' },
};

type Counts = Json<Kind['operation']>;

export const IMPORT_AGENTS_PAGE = importPage(AGENTS);
export const IMPORT_DUES_PAGE = importPage(DUES);
export const IMPORT_PAYMENTS_PAGE = importPage(PAYMENTS);
export const IMPORT_SUBSCRIPTIONS_PAGE = importPage(SUBSCRIPTIONS);

/** A file, then what its import would change, then the import. Nothing is stored before the last button. */
function importPage(kind: Kind): Page {
  return {
    path: kind.path,
    scope: kind.scope,
    ...(kind.isInMenu ? { menu: { group: 'money', label: kind.title } } : {}),
    takesFile: true,
    async show(visit) {
      const { texts } = visit;
      const body = (
        <>
          <ProblemBox texts={texts} problem={visit.problem} />
          <Steps visit={visit} at={1} />
          <FilePanel visit={visit} kind={kind} />
        </>
      );
      return { title: texts.t(kind.title), body };
    },
    actions: { preview: { run: (visit) => preview(visit, kind) }, import: { run: (visit) => runImport(visit, kind) } },
  };
}

async function preview(visit: Visit, kind: Kind): Promise<Shown> {
  const { texts, form, call } = visit;
  const { t } = texts;
  const { file } = form;
  if (file === undefined) throw new OutcomeRefused('file', t('common:form.fileMissing'));
  const counts = await call(kind.operation, { body: file.content, dryRun: true });
  const carried = carriedFile(file.content);
  const body = (
    <>
      <Steps visit={visit} at={2} />
      <Panel title={t('agents:import.effect')}>
        <p>
          <bdi>{file.name}</bdi>
        </p>
        <CountTiles visit={visit} counts={counts} />
        <p>{t(isNothing(counts) ? 'agents:import.nothing' : 'agents:import.notYet')}</p>
        <ActionForm visit={visit} action="import" path={to(kind.path)} takesFile={carried === undefined}>
          <input type="hidden" name="name" value={file.name} />
          {carried === undefined ? (
            <>
              <input type="hidden" name="digest" value={sha256Hex(file.content)} />
              <Field
                name="file"
                type="file"
                label={t('agents:import.again')}
                hint={t('agents:import.againHint')}
                accept=".csv,text/csv"
                isRequired
              />
            </>
          ) : (
            <input type="hidden" name="content" value={carried} />
          )}
          <p class="actions">
            {isNothing(counts) ? null : <button class="main">{t('common:action.import')}</button>}
            <a href={to(kind.path)}>{t('agents:import.other')}</a>
          </p>
        </ActionForm>
      </Panel>
    </>
  );
  return { title: t(kind.title), body };
}

async function runImport(visit: Visit, kind: Kind): Promise<Shown> {
  const { texts, form, call } = visit;
  const { t } = texts;
  const content = form.file?.content ?? readCarriedFile(form.value('content'));
  if (content === undefined) throw new OutcomeRefused('file', t('common:form.fileMissing'));
  const digest = form.value('digest');
  if (digest !== '' && sha256Hex(content) !== digest) throw new OutcomeRefused('file', t('agents:import.otherFile'));
  const counts = await call(kind.operation, { body: content, idempotencyKey: form.value('once') });
  const body = (
    <>
      <Steps visit={visit} at={3} />
      <p class="said" role="status">
        {t('agents:import.done')}
      </p>
      <CountTiles visit={visit} counts={counts} />
      <p class="actions">
        {visit.can(kind.result.scope) ? <a href={kind.result.path}>{t(kind.result.label)}</a> : null}
        <a href={to(kind.path)}>{t('agents:import.other')}</a>
      </p>
    </>
  );
  return { title: t(kind.title), body };
}

function isNothing(counts: Counts): boolean {
  return counts.added === 0 && (!('updated' in counts) || counts.updated === 0);
}

function Steps({ visit: { texts }, at }: { visit: Visit; at: 1 | 2 | 3 }): VNode {
  const { t } = texts;
  const steps = [t('agents:import.step1'), t('agents:import.step2'), t('agents:import.step3')];
  return (
    <ol class="progress">
      {steps.map((label, index) => (
        <li aria-current={index + 1 === at ? 'step' : undefined}>{label}</li>
      ))}
    </ol>
  );
}

function FilePanel({ visit, kind }: { visit: Visit; kind: Kind }): VNode {
  const { t } = visit.texts;
  return (
    <Panel title={t('agents:import.step1')}>
      <p>{t(kind.columns)}</p>
      <ActionForm visit={visit} action="preview" path={to(kind.path)} takesFile>
        <Field
          name="file"
          type="file"
          label={t('common:field.file')}
          hint={t('agents:import.fileHint')}
          fault={faultOf(visit.problem, 'file')}
          accept=".csv,text/csv"
          isRequired
        />
        <p class="actions">
          <button class="main">{t('common:action.preview')}</button>
        </p>
      </ActionForm>
    </Panel>
  );
}

function CountTiles({ visit: { texts }, counts }: { visit: Visit; counts: Counts }): VNode {
  const { t } = texts;
  return (
    <div class="tiles">
      <Tile name={t('agents:import.added')} value={texts.count(counts.added)} />
      {'addedMillimes' in counts ? (
        <Tile name={t('agents:import.addedAmount')} value={<Money texts={texts} of={counts.addedMillimes} />} />
      ) : null}
      {'updated' in counts ? <Tile name={t('agents:import.updated')} value={texts.count(counts.updated)} /> : null}
      <Tile name={t('agents:import.unchanged')} value={texts.count(counts.unchanged)} />
    </div>
  );
}

function Tile({ name, value }: { name: string; value: string | VNode }): VNode {
  return (
    <div class="tile">
      <span class="name">{name}</span>
      <span class="large">{value}</span>
    </div>
  );
}
