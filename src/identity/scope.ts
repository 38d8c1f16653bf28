/** The scopes of API keys. A key has the scopes with which it was created. */
export const SCOPES = [
  'agents:write',
  'agents:erase',
  'dues:write',
  'payments:write',
  'payments:refund',
  'webhooks:replay',
  'statements:write',
  'statements:accept',
  'reconciliation:run',
  'reconciliation:decide',
  'days:close',
  'days:reopen',
  'breaks:work',
  'breaks:decide',
  'tokens:manage',
  'keys:manage',
] as const;
export type Scope = (typeof SCOPES)[number];
