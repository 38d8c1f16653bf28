import type { Page } from '../../page/page';
import { FilterForm } from '../../parts/forms';
import { Pager, Table } from '../../parts/table';
import { Id, Money, State } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';

/** The agents with what they owe. */
export const AGENT_LIST_PAGE: Page = {
  path: '/agents',
  scope: 'agents:read',
  recordedAs: () => 'agents',
  menu: { group: 'money', label: 'common:menu.agents' },
  async show({ texts, query, call }) {
    const { t } = texts;
    const { owing, cursor } = query;
    const list = await call('listAgents', { query: { owing: owing === 'true' ? 'true' : undefined, cursor } });
    const own = to('/agents');
    const body = (
      <>
        <FilterForm texts={texts} path={own}>
          <label>
            <input type="checkbox" name="owing" value="true" checked={owing === 'true'} /> {t('agents:list.onlyOwing')}
          </label>
        </FilterForm>
        <Table
          caption={t('agents:list.owing')}
          rows={list.data}
          empty={owing === 'true' ? t('common:state.nothingFits') : t('agents:list.none')}
          columns={[
            {
              label: t('common:field.agentId'),
              isHead: true,
              cell: ({ agentId }) => (
                <a href={to('/agents', agentId)}>
                  <Id>{agentId}</Id>
                </a>
              ),
            },
            { label: t('common:field.name'), cell: ({ fullName }) => <bdi>{fullName}</bdi> },
            { label: t('common:field.phone'), cell: ({ phone }) => <Id>{phone}</Id> },
            {
              label: t('common:field.state'),
              cell: ({ status }) => (
                <State texts={texts} list="agentStatus" code={status} tone={status === 'open' ? 'good' : 'bad'} />
              ),
            },
            {
              label: t('agents:due'),
              isNumber: true,
              cell: ({ dueMillimes }) => <Money texts={texts} of={dueMillimes} />,
            },
            {
              label: t('agents:credit'),
              isNumber: true,
              cell: ({ creditMillimes }) => <Money texts={texts} of={creditMillimes} />,
            },
          ]}
        />
        <Pager
          texts={texts}
          hasMore={list.hasMore}
          next={withQuery(own, { owing, cursor: list.nextCursor ?? '' })}
          first={cursor === undefined ? undefined : withQuery(own, { owing })}
        />
      </>
    );
    return { title: t('agents:list.title'), body, isWide: true };
  },
};
