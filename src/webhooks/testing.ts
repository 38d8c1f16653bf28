export { type EntryClaim, openInboxClaims } from './inbox-claim-store';
export { type HintKind, hintReceiver } from './receive-hint';
export { webhookReceiver } from './receive-webhook';
