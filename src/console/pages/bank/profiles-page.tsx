import type { Page } from '../../page/page';
import { Table } from '../../parts/table';
import { Id, None, Said } from '../../parts/values';
import { to } from '../../web/own-path';

/** The profiles of this installation: how the files of each bank are read. */
export const PROFILES_PAGE: Page = {
  path: '/bank/profiles',
  scope: 'statements:read',
  async show({ texts, call }) {
    const { t } = texts;
    const { profiles } = await call('listStatementProfiles');
    const body = (
      <>
        <p class="cut-off">
          <a href={to('/bank')}>{t('common:backTo', { page: t('bank:title') })}</a>
        </p>
        <p>{t('bank:profiles.what')}</p>
        <Table
          caption={t('bank:profiles.title')}
          rows={profiles}
          empty={t('bank:profiles.none')}
          columns={[
            { label: t('common:field.name'), isHead: true, cell: ({ name }) => <Id>{name}</Id> },
            { label: t('bank:profiles.format'), cell: ({ format }) => texts.word('statementFormat', format) },
            { label: t('bank:profiles.description'), cell: ({ description }) => <Said>{description}</Said> },
            {
              label: t('bank:profiles.pattern'),
              cell: ({ payoutPattern }) => (payoutPattern === null ? <None /> : <Id>{payoutPattern}</Id>),
            },
          ]}
        />
      </>
    );
    return { title: t('bank:profiles.title'), body, isWide: true };
  },
};
