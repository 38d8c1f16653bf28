import type { VNode } from 'preact';
import { AppError } from '../../../kernel';
import type { Texts } from '../../../texts';
import type { Page } from '../../page/page';
import { ActionForm, Field } from '../../parts/forms';
import { faultOf, ProblemBox } from '../../parts/problem-box';
import { Id } from '../../parts/values';
import { Working } from '../../parts/working';
import { to } from '../../web/own-path';
import { Steps } from './steps';
import { uploadBodyOf } from './upload-body';

/** The files in the way of another one, each of which its page removes. */
function OpenUploads({ texts, ids }: { texts: Texts; ids: unknown }): VNode | null {
  if (!Array.isArray(ids) || ids.length === 0) return null;
  return (
    <ul class="bullets">
      {ids.map((id) => (
        <li>
          <a href={to('/bank/uploads', String(id))}>
            {texts.t('bank:import.open')} <Id>{String(id)}</Id>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The first step of an import: the file. */
export const IMPORT_PAGE: Page = {
  path: '/bank/import',
  scope: 'statements:write',
  menu: { group: 'bank', label: 'common:menu.bankImport' },
  takesFile: true,
  show(visit) {
    const { texts, problem } = visit;
    const { t } = texts;
    const body = (
      <div class="narrow">
        <ProblemBox texts={texts} problem={problem} />
        <OpenUploads texts={texts} ids={problem?.code === 'upload_quota' ? problem.params['uploadIds'] : []} />
        <Steps texts={texts} current="file" />
        <p>{t('bank:import.what')}</p>
        <ActionForm visit={visit} action="upload" takesFile>
          <Field
            name="file"
            type="file"
            label={t('bank:import.file')}
            hint={t('bank:import.hint')}
            fault={faultOf(problem, 'file')}
            isRequired
          />
          <Working texts={texts} />
          <p class="actions">
            <button class="main">{t('common:action.continue')}</button>
            <a href={to('/bank/profiles')}>{t('bank:profiles.title')}</a>
          </p>
        </ActionForm>
      </div>
    );
    return Promise.resolve({ title: t('bank:import.title'), body });
  },
  actions: {
    upload: {
      async run({ form, call, texts }) {
        const { file } = form;
        if (file === undefined || file.content.length === 0) {
          throw new AppError('bad_input', { field: 'file', fault: texts.t('common:form.fileMissing') });
        }
        const upload = await call('uploadBankFile', {
          query: { fileName: file.name === '' ? 'file' : file.name },
          body: uploadBodyOf(file.content),
          idempotencyKey: form.value('once'),
        });
        return { to: to('/bank/uploads', upload.id) };
      },
    },
  },
};
