import { TESTER } from '../../../../support/factories';
import type { Api } from '../../../support/api';
import type { OperationCall } from '../api-client';
import { openBreak, withItems } from './credit-world';
import { audited, type Scenario, type Scenarios } from './scenario';

const reason = 'the missing statement came';

export const BREAK_SCENARIOS: Scenarios = {
  async listBreaks(api) {
    await openBreak(api, 'f1');
    await openBreak(api, 'f2');
    return { call: {} };
  },
  async showBreak(api) {
    return { call: { params: { breakId: (await openBreak(api, 'f')).id } } };
  },
  async listBreakRows(api) {
    await withItems(api);
    return { call: { params: { breakId: (await openBreak(api, 'f')).id } } };
  },
  async listWriteOffPlaces(api) {
    await withItems(api);
    return { call: { params: { breakId: (await openBreak(api, 'f')).id } } };
  },
  async stepOnBreaks(api) {
    const breaks = [await openBreak(api, 'f1'), await openBreak(api, 'f2')];
    return {
      call: { body: { step: { kind: 'assign', assignee: 'salma' }, breaks } },
      other: { body: { step: { kind: 'resolve', reason }, breaks } },
      effect: () => audited(api, 'break.assigned'),
      effects: breaks.length,
    };
  },
  assignBreak: (api) => step(api, 'break.assigned', { assignee: 'salma' }, { assignee: 'omar' }),
  commentBreak: (api) => step(api, 'break.commented', { text: 'asked the gateway' }, { text: 'another text' }),
  resolveBreak: (api) => step(api, 'break.resolved', { reason }, { reason: 'another reason' }),
  async reopenBreak(api) {
    const { id } = await openBreak(api, 'f');
    await api.millime.breakWorkflow.resolve({ id, reason, actor: TESTER });
    const { version } = (await api.millime.breakWorkflow.show(id)).breakView;
    const call = { params: { breakId: id }, ifMatch: `"${version}"`, body: { reason } };
    const other = { ...call, body: { reason: 'another reason' } };
    return { call, other, effect: () => audited(api, 'break.reopened') };
  },
};

async function step(
  api: Api,
  action: string,
  body: OperationCall['body'],
  another: OperationCall['body'],
): Promise<Scenario> {
  const { id: breakId, version } = await openBreak(api, 'f');
  const call = { params: { breakId }, ifMatch: `"${version}"`, body };
  return { call, other: { ...call, body: another }, effect: () => audited(api, action) };
}
