import { ITEMS, openBreak, withCredits, withItems, withProposal } from './credit-world';
import { audited, type Scenarios } from './scenario';

const reason = 'it will not be paid';

export const PROPOSAL_SCENARIOS: Scenarios = {
  async proposeForBreak(api) {
    await withItems(api);
    const { id: breakId, version } = await openBreak(api, 'f');
    const call = { params: { breakId }, ifMatch: `"${version}"` };
    return {
      call: { ...call, body: { action: { kind: 'write_off', payload: { amountMillimes: 2_000 } }, reason } },
      other: { ...call, body: { action: { kind: 'accept' }, reason } },
      effect: () => audited(api, 'proposal.made'),
    };
  },
  async proposeForCredit(api) {
    const [lineId = ''] = await withCredits(api, [12_400]);
    const action = { kind: 'force_match', payload: { itemIds: ITEMS } };
    return {
      call: { body: { lineId, action, reason } },
      other: { body: { lineId, action, reason: 'another reason' } },
      effect: () => audited(api, 'proposal.made'),
    };
  },
  async listProposals(api) {
    await withItems(api);
    await withProposal(api, 'f1');
    await withProposal(api, 'f2');
    return { call: {} };
  },
  async showProposal(api) {
    await withItems(api);
    return { call: { params: { proposalId: await withProposal(api) } } };
  },
  async approveProposal(api) {
    await withItems(api);
    const params = { proposalId: await withProposal(api) };
    return {
      call: { params, body: {} },
      other: { params, body: { reason } },
      effect: () => audited(api, 'proposal.approved'),
    };
  },
  async rejectProposal(api) {
    await withItems(api);
    const params = { proposalId: await withProposal(api) };
    return {
      call: { params, body: { reason } },
      other: { params, body: { reason: 'another reason' } },
      effect: () => audited(api, 'proposal.rejected'),
    };
  },
};
