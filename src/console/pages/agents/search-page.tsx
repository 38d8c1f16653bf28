import type { VNode } from 'preact';
import type { Json } from '../../../api';
import type { Texts } from '../../../texts';
import type { Page, Visit } from '../../page/page';
import { ActionForm, Field } from '../../parts/forms';
import { ProblemBox } from '../../parts/problem-box';
import { Id, Money, State } from '../../parts/values';
import { to } from '../../web/own-path';

type Found = Json<'searchAgents'>;

const PATH = '/agents/search';

/** One box: an id, a name or a phone. A search is a form that no address contains. One agent opens immediately. */
export const SEARCH_PAGE: Page = {
  path: PATH,
  scope: 'agents:lookup',
  menu: { group: 'daily', label: 'common:menu.lookUp' },
  async show(visit) {
    return { title: visit.texts.t('agents:search.title'), body: <Search visit={visit} found={undefined} /> };
  },
  actions: {
    search: {
      async run(visit) {
        const found = await visit.call('searchAgents', { body: { q: visit.form.value('q') } });
        const [only] = found.agents;
        if (found.agents.length === 1 && only !== undefined && !found.tooMany) {
          return { to: to('/agents', only.agentId) };
        }
        return { title: visit.texts.t('agents:search.title'), body: <Search visit={visit} found={found} /> };
      },
    },
  },
};

function Search({ visit, found }: { visit: Visit; found: Found | undefined }): VNode {
  const { texts, problem, form } = visit;
  return (
    <div class="narrow">
      <ProblemBox texts={texts} problem={problem} />
      <ActionForm visit={visit} action="search" path={to(PATH)} class="look-up">
        <Field
          name="q"
          type="search"
          label={texts.t('agents:search.box')}
          hint={texts.t('agents:search.hint')}
          value={form.value('q')}
          inputMode="search"
          maxLength={200}
          isRequired
          isFocused
          isPlain
        />
        <button class="main">{texts.t('common:action.search')}</button>
      </ActionForm>
      {found === undefined ? null : <Results texts={texts} found={found} />}
    </div>
  );
}

function Results({ texts, found: { agents, hasMore, tooMany } }: { texts: Texts; found: Found }): VNode {
  if (tooMany) return <p role="status">{texts.t('agents:search.tooMany')}</p>;
  if (agents.length === 0) return <p role="status">{texts.t('agents:search.none')}</p>;
  return (
    <>
      <p role="status">{texts.t('common:count.agents', { count: agents.length })}</p>
      <ul class="cards">
        {agents.map((agent) => (
          <li>
            <a href={to('/agents', agent.agentId)}>
              <strong>
                <bdi>{agent.fullName === '' ? agent.agentId : agent.fullName}</bdi>
              </strong>
              <span>
                <Id>{agent.agentId}</Id> {agent.phone === '' ? texts.t('agents:noPhone') : <Id>{agent.phone}</Id>}
              </span>
              <span>
                <State
                  texts={texts}
                  list="agentStatus"
                  code={agent.status}
                  tone={agent.status === 'open' ? 'good' : 'bad'}
                />
                {agent.dueMillimes > 0 ? (
                  <span>
                    {texts.t('agents:search.due')} <Money texts={texts} of={agent.dueMillimes} />
                  </span>
                ) : null}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {hasMore ? <p>{texts.t('agents:search.more')}</p> : null}
    </>
  );
}
