/** The rights of an API key. A key has those that it was created with. */
export const SCOPES = [
  'agents:write',
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
